import type { EventResult, EventView } from "#src/events/contract.ts";
import { countOf } from "../ui/count.ts";
import { formatMoney } from "../ui/money.ts";
import { useShow } from "./show-context.ts";

type ImpactProps = { event: EventView; result: EventResult };

/** What a result will move, before it does. */
export function Impact({ event, result }: ImpactProps) {
  const { settlementDelaySeconds } = useShow().session.settings;
  const facts = [
    event.state === "open" ? "Calls are still taken. It closes first." : null,
    moneyWords(event, result),
    event.state === "resolved" ? "What was paid before is taken back, and every player is told why." : null,
    event.state !== "resolved" && settlementDelaySeconds > 0
      ? `It is paid after ${countOf(settlementDelaySeconds, "second")}. Until then you can take it back.`
      : null,
  ];
  return (
    <ul className="facts num">{facts.map((fact) => (fact === null ? null : <li key={fact}>{fact}</li>))}</ul>
  );
}

function moneyWords(event: EventView, result: EventResult): string {
  const total = formatMoney(Math.round(event.pool.total * 100));
  if (event.callsCount === 0) return "Nobody has called: no money moves.";
  if (result === "void") return `Everybody is refunded: ${total}, ${countOf(event.callsCount, "call")}.`;
  const [yes, no] = event.spots;
  const [winners, losers] = result === "true" ? [yes, no] : [no, yes];
  const other = result === "true" ? "false" : "true";
  if (event.pool[result] === 0 || event.pool[other] === 0) {
    return `All calls are on one side: everybody is refunded, ${total}.`;
  }
  if (event.state === "open") return `${total} goes to ${winners.label}; ${losers.label} loses.`;
  return `${total} goes to ${countOf(winners.callsCount, "call")} on ${winners.label}. ${countOf(losers.callsCount, "call")} on ${losers.label} ${losers.callsCount === 1 ? "loses" : "lose"}.`;
}
