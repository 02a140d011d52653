import { useServerTime } from "#client/base/live/clock.ts";
import { useViewer } from "#client/base/page/context.ts";
import { takesBackOwn } from "#client/running-order/show-texts.ts";
import type { EventResult } from "#db/lists/events.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import { AboutEvent } from "../act-form.tsx";
import { heldOn } from "../own-calls.ts";
import { useShow } from "../show-context.ts";
import * as texts from "../texts/arming-texts.ts";
import { EffectiveAt } from "../verdict/effective-at.tsx";
import { Impact } from "../verdict/impact.tsx";
import { Reason } from "../verdict/reason.tsx";
import { isFreeToCorrect } from "../verdict/undoable.ts";

type ArmedFieldsProps = { event: EventView; act: ArmedAct; version: number };

/** What an armed act will do, and the fields of its form. It is refused for another version of the event. */
export function ArmedFields({ event, act, version }: ArmedFieldsProps) {
  return (
    <>
      <AboutEvent event={event} />
      <input type="hidden" name="version" value={version} />
      {act === "skip" ? <SkipFields event={event} /> : <ResultFields key={act} event={event} result={act} />}
    </>
  );
}

function SkipFields({ event }: { event: EventView }) {
  const { callsCount, pool } = event;
  const own = heldOn(event);
  return (
    <>
      <p className="small num">
        {callsCount === 0 ? texts.skipUncalled : texts.skipRefunds(callsCount, pool.totalCents)}
      </p>
      {own.callsCount === 0 ? null : <p className="small">{takesBackOwn(own.callsCount, own.cents)}</p>}
      {callsCount === 0 ? null : <FoldedReason id={`skip-reason-${event.id}`} />}
    </>
  );
}

function ResultFields({ event, result }: { event: EventView; result: EventResult }) {
  return (
    <>
      <input type="hidden" name="result" value={result} />
      <Impact event={event} result={result} />
      <div className="terms">
        {result === "void" ? null : <EffectiveAt event={event} />}
        <WhyItChanges event={event} result={result} />
      </div>
    </>
  );
}

/** The reason: required for a correction, unless the viewer has just decided. */
function WhyItChanges({ event, result }: { event: EventView; result: EventResult }) {
  const { renderedAt } = useShow();
  const viewerId = useViewer()?.id;
  const free = useServerTime((nowMs) => isFreeToCorrect(event, { viewerId, nowMs }), renderedAt);
  const id = `${result}-reason-${event.id}`;
  return <FoldedReason id={id} required={event.state === "resolved" && !free} />;
}

/** Folded, so that the slot stays small. When it becomes required, what was typed stays. */
function FoldedReason({ id, required = false }: { id: string; required?: boolean }) {
  return (
    <details className="more" open={required || undefined}>
      <summary className="small">{texts.addReason}</summary>
      <Reason id={id} {...(required ? { required } : {})} />
    </details>
  );
}
