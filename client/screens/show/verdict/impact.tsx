import { useRef } from "react";
import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview, EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/form-texts.ts";
import { usePreview } from "./use-preview.ts";

type ImpactProps = { event: EventView; result: EventResult };

/** Shows how much money a result will move, before it is given. */
export function Impact({ event, result }: ImpactProps) {
  const { settlementDelaySeconds } = useShow().session.settings;
  const container = useRef<HTMLDivElement>(null);
  const preview = usePreview(container, { event, result });
  const facts = [
    event.state === "open" ? texts.closesFirst : null,
    preview === null ? moneyText(event, result) : null,
    event.state === "resolved" ? texts.takenBackHint : null,
    event.state !== "resolved" && settlementDelaySeconds > 0
      ? texts.paidAfterDelay(settlementDelaySeconds)
      : null,
  ];
  return (
    <div className="stack money" ref={container}>
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
      <Fact name={texts.winners} value={formatCount(winners)} />
      <Fact name={texts.losers} value={formatCount(losers)} />
      <Fact name={texts.paidOut} value={formatMoney(paidOutCents)} />
      <Fact name={texts.largestWin} value={formatMoney(largestWinCents)} />
      {callsRefunded === 0 ? null : (
        <Fact name={texts.refundedCalls(callsRefunded)} value={formatMoney(refundedCents)} />
      )}
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
  if (event.callsCount === 0) return texts.noCalls;
  if (result === "void") return texts.allRefunded(total, event.callsCount);
  const [yes, no] = event.spots;
  const [winning, losing] = result === "true" ? [yes, no] : [no, yes];
  const other = result === "true" ? "false" : "true";
  if (event.pool[result] === 0 || event.pool[other] === 0) {
    return texts.oneSidedRefund(total);
  }
  return texts.poolGoesTo(total, winning.label, losing.label);
}
