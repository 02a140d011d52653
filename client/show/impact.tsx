import { useRef } from "react";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview, EventView } from "#src/events/schemas.ts";
import { countOf, formatCount } from "../ui/count.ts";
import { formatMoney } from "../ui/money.ts";
import { useShow } from "./show-context.ts";
import { usePreview } from "./use-preview.ts";

type ImpactProps = { event: EventView; result: EventResult };

/** Shows how much money a result will move, before it is confirmed. */
export function Impact({ event, result }: ImpactProps) {
  const { settlementDelaySeconds } = useShow().session.settings;
  const container = useRef<HTMLDivElement>(null);
  const preview = usePreview(container, { eventId: event.id, result });
  const facts = [
    event.state === "open" ? "Calls are still taken. It closes first." : null,
    preview === null ? moneyText(event, result) : null,
    event.state === "resolved" ? "What was paid before is taken back, and every player is told why." : null,
    event.state !== "resolved" && settlementDelaySeconds > 0
      ? `It is paid after ${countOf(settlementDelaySeconds, "second")}. Until then you can take it back.`
      : null,
  ];
  return (
    <div className="stack" ref={container}>
      {preview === null ? null : <Preview preview={preview} />}
      <ul className="consequences num">
        {facts.map((fact) => (fact === null ? null : <li key={fact}>{fact}</li>))}
      </ul>
    </div>
  );
}

function Preview({ preview }: { preview: EventPreview }) {
  const { winners, losers, callsRefunded, paidOutCents, refundedCents, largestWinCents } = preview;
  return (
    <dl className="impact">
      <Fact name="Winners" value={formatCount(winners)} />
      <Fact name="Losers" value={formatCount(losers)} />
      <Fact name="Paid out" value={formatMoney(paidOutCents)} />
      <Fact name="Largest win" value={formatMoney(largestWinCents)} />
      <Fact name={`${countOf(callsRefunded, "call")} refunded`} value={formatMoney(refundedCents)} />
    </dl>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div className="kv">
      <dt>{name}</dt>
      <dd className="num">{value}</dd>
    </div>
  );
}

/** A sentence that is shown until the server's preview has arrived. */
function moneyText(event: EventView, result: EventResult): string {
  const total = formatMoney(event.pool.totalCents);
  if (event.callsCount === 0) return "Nobody has called: no money moves.";
  if (result === "void") return `Everybody is refunded: ${total}, ${countOf(event.callsCount, "call")}.`;
  const [yes, no] = event.spots;
  const [winning, losing] = result === "true" ? [yes, no] : [no, yes];
  const other = result === "true" ? "false" : "true";
  if (event.pool[result] === 0 || event.pool[other] === 0) {
    return `All calls are on one side: everybody is refunded, ${total}.`;
  }
  return `${total} goes to the calls on ${winning.label}; those on ${losing.label} lose.`;
}
