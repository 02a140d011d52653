import { type RefObject, useEffect, useRef, useState } from "react";
import type { Api } from "#client/base/api/api.ts";
import { formatCount } from "#client/base/format/count.ts";
import { formatMoney } from "#client/base/format/money.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi } from "#client/base/page/context.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventPreview, EventView } from "#src/show/events/schemas.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/form-texts.ts";
import { verdictIn } from "./verdict-fields.ts";

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

type Previewed = { event: EventView; result: EventResult };

/**
 * The server's preview of a result: fetched at once, again with every change in its form and of the event, and with each message
 * about its calls. Null until the first answer has arrived.
 * @param inside an element inside the form.
 */
function usePreview(
  inside: RefObject<HTMLElement | null>,
  { event: { id, version, callsCount, pool }, result }: Previewed,
): EventPreview | null {
  const api = useApi();
  const [preview, setPreview] = useState<EventPreview | null>(null);
  const load = useRef<(() => void) | null>(null);
  useEffect(() => {
    const form = inside.current?.closest("form");
    if (form == null) return;
    const left = new AbortController();
    const { signal } = left;
    // While calls come in, one question follows the other: an aborted one would never be answered.
    load.current = singleFlight(signal, async () => {
      const loaded = await fetchPreview(api, { eventId: id, result, form, signal });
      if (!signal.aborted) setPreview(loaded);
    });
    form.addEventListener("change", load.current, { signal });
    return () => left.abort();
  }, [api, inside, id, result]);
  const { totalCents } = pool;
  useEffect(() => load.current?.(), [load, id, result, version, callsCount, totalCents]);
  return preview;
}

type PreviewRequest = { eventId: number; result: EventResult; form: HTMLFormElement; signal: AbortSignal };

/** Returns null on an error: a sentence is shown instead. */
async function fetchPreview(
  api: Api,
  { eventId, result, form, signal }: PreviewRequest,
): Promise<EventPreview | null> {
  const { effectiveAt } = verdictIn(new FormData(form));
  try {
    const path = `/api/v1/events/${eventId}/preview` as const;
    const answer = await api.get(path, {
      query: { result, effectiveAt: effectiveAt === null ? "none" : effectiveAt || undefined },
      signal,
    });
    return answer.preview;
  } catch {
    return null;
  }
}
