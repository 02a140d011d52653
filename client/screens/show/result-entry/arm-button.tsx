import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import { type Api, endingWith } from "#client/base/api/api.ts";
import { guardPlace } from "#client/base/browser/click-guard.ts";
import { useHydrated } from "#client/base/browser/use-hydrated.ts";
import { formatCount, countOf } from "#client/base/format/count.ts";
import { formatMoney, formatShortMoney } from "#client/base/format/money.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi, useViewer } from "#client/base/page/context.ts";
import { takesBackOwn } from "#client/running-order/show-texts.ts";
import { DisabledButton } from "#client/ui/disabled-button.tsx";
import { Field } from "#client/ui/field.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Meaning } from "#client/ui/moment-field.tsx";
import type { EventResult } from "#db/lists/events.ts";
import { say, REASON_LENGTH_MAX } from "#src/http/contract.ts";
import type { EventView, EventPreview } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import { AboutEvent, AskAct } from "../running/act-form.tsx";
import { disabledReasonForArming } from "../running/disabled-reason.ts";
import { isFreeToCorrect, numberOf } from "../running/on-stage.ts";
import { effectiveChoices, verdictIn } from "../running/perform-act.ts";
import { useShow } from "../running/show-context.ts";
import { heldOn } from "../running/way-back.tsx";

type ArmButtonProps = {
  event: EventView;
  act: ArmedAct;
  className: string;
  hotkey?: string | undefined;
  /** What screen readers say, where the label is too short. */
  name?: string;
  /** The id of the text that says which event it acts on. */
  describedBy?: string;
  children: ReactNode;
};

/**
 * A button that arms a result or a skip: the slot then shows what it will do, and Enter does it. Without JavaScript the same
 * question is a dialog.
 */
export function ArmButton({ event, act, className, hotkey, name, describedBy, children }: ArmButtonProps) {
  const { session, events, arming } = useShow();
  const scripted = useHydrated();
  const disabledReason = disabledReasonForArming(session, event, act);
  if (disabledReason !== null) {
    return (
      <DisabledButton className={className} disabledReason={disabledReason}>
        {children}
      </DisabledButton>
    );
  }
  if (!scripted) {
    const { title, label, intent, className: confirmClass } = armedTexts(events, event, act);
    return (
      <AskAct
        label={children}
        className={className}
        title={title}
        act={{ label, intent, className: confirmClass }}
      >
        <p className="strong">{event.title}</p>
        <ArmedFields event={event} act={act} version={event.version} />
      </AskAct>
    );
  }
  const { armed } = arming;
  return (
    <button
      className={className}
      type="button"
      data-key={hotkey}
      aria-keyshortcuts={hotkey}
      aria-label={name}
      title={name}
      aria-describedby={describedBy}
      aria-pressed={armed?.event.id === event.id && armed.act === act}
      onClick={({ detail, currentTarget }) => {
        // What is armed comes where the finger is: the second press of a double click must not pay it.
        if (detail > 0) guardPlace(currentTarget);
        arming.arm(event, act);
      }}
    >
      {children}
    </button>
  );
}

/** What an armed act will do, and the fields of its form. It is refused for another version of the event. */
export function ArmedFields({ event, act, version }: { event: EventView; act: ArmedAct; version: number }) {
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
        {callsCount === 0
          ? "It leaves the show. Nobody has called it."
          : `It leaves the show. ${countOf(callsCount, "call")} with ${formatShortMoney(pool.totalCents)} will be refunded.`}
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
      <summary className="small">{required ? "A reason is required" : "Add a reason"}</summary>
      <Reason id={id} {...(required ? { required } : {})} />
    </details>
  );
}

/** Chooses from when on calls are refunded, because the answer could already be known. A decided moment is kept. */
function EffectiveAt({ event: { closedAt, plan } }: { event: EventView }) {
  const zone = useTimeZone();
  const [exact, setExact] = useState("");
  const decidedAt = plan?.decided?.effectiveAt ?? null;
  return (
    <fieldset className="field effective">
      <legend className="label">Effective at</legend>
      <div className="seg">
        {effectiveChoices({ closedAt, decidedAt }).map(({ value, label }) => (
          <label key={value}>
            <input type="radio" name="effective" value={value} defaultChecked={value === ""} />
            <span>{label}</span>
          </label>
        ))}
      </div>
      <input type="hidden" name="closed_at" value={closedAt ?? ""} />
      <input type="hidden" name="time_zone" value={zone} />
      <input
        className="input sm exact"
        type="datetime-local"
        name="effective_at"
        step={1}
        aria-label={`Exact moment, in ${zone}`}
        onChange={({ currentTarget }) => setExact(currentTarget.value)}
      />
      <span className="hint">
        <span>
          {closedAt === null
            ? "Calls placed from then on are refunded."
            : "Calls placed from then on are refunded; counted back from the close."}
        </span>
        <Meaning typed={exact} zone={zone} />
        {decidedAt === null ? null : <span>{` As before: from ${formatClock(decidedAt, zone)} on.`}</span>}
      </span>
    </fieldset>
  );
}

/** Shows how much money a result will move, before it is given. */
function Impact({ event, result }: { event: EventView; result: EventResult }) {
  const { settlementDelaySeconds } = useShow().session.settings;
  const container = useRef<HTMLDivElement>(null);
  const preview = usePreview(container, { event, result });
  const facts = [
    event.state === "open" ? "Calls are still taken. It closes first." : null,
    preview === null ? moneyText(event, result) : null,
    event.state === "resolved" ? "What was paid before is taken back, and every player reads why." : null,
    event.state !== "resolved" && settlementDelaySeconds > 0
      ? `It is paid after ${countOf(settlementDelaySeconds, "second")}. Until then you can take it back.`
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
  const { takenBackCents = 0, owedCents = 0 } = preview;
  return (
    <dl className="impact">
      <KeyValue label="Winners">{formatCount(winners)}</KeyValue>
      <KeyValue label="Losers">{formatCount(losers)}</KeyValue>
      <KeyValue label="Paid out">{formatMoney(paidOutCents)}</KeyValue>
      <KeyValue label="Largest win">{formatMoney(largestWinCents)}</KeyValue>
      {callsRefunded === 0 ? null : (
        <KeyValue label={`${countOf(callsRefunded, "call")} refunded`}>{formatMoney(refundedCents)}</KeyValue>
      )}
      {takenBackCents === 0 ? null : <KeyValue label="Taken back">{formatMoney(takenBackCents)}</KeyValue>}
      {owedCents === 0 ? null : <KeyValue label="Owed, as it is spent">{formatMoney(owedCents)}</KeyValue>}
    </dl>
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
  return say`${total} goes to the calls on ${winning.label}; those on ${losing.label} lose.`;
}

/**
 * The server's preview of a result: fetched at once, again with every change in its form and of the event, and with each message
 * about its calls. Null until the first answer has arrived.
 * @param inside an element inside the form.
 */
function usePreview(
  inside: RefObject<HTMLElement | null>,
  { event: { id, version, callsCount, pool }, result }: { event: EventView; result: EventResult },
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
      const loaded = await fetchPreview(endingWith(signal, api), { eventId: id, result, form });
      if (!signal.aborted) setPreview(loaded);
    });
    form.addEventListener("change", load.current, { signal });
    return () => left.abort();
  }, [api, inside, id, result]);
  const { totalCents } = pool;
  useEffect(() => load.current?.(), [load, id, result, version, callsCount, totalCents]);
  return preview;
}

/** Returns null on an error: a sentence is shown instead. */
async function fetchPreview(
  api: Api,
  { eventId, result, form }: { eventId: number; result: EventResult; form: HTMLFormElement },
): Promise<EventPreview | null> {
  const { effectiveAt } = verdictIn(new FormData(form));
  try {
    const path = `/api/v1/events/${eventId}/preview` as const;
    const answer = await api.get(path, {
      query: { result, effectiveAt: effectiveAt === null ? "none" : effectiveAt || undefined },
    });
    return answer.preview;
  } catch {
    return null;
  }
}

export function armedTexts(events: readonly EventView[], event: EventView, act: ArmedAct) {
  const number = numberOf(events, event);
  if (act === "skip") {
    const label = event.callsCount > 0 ? "Skip and refund" : "Skip it";
    return { title: `Skip ${number}?`, label, intent: "skip", className: "btn bad" };
  }
  const text = resultText(event, act);
  const title =
    event.state === "resolved" ? `Correct ${number} to ${text}?` : `Resolve ${number} as ${text}?`;
  const label = act === "void" ? "Void and refund" : `Pay out ${text}`;
  return { title, label, intent: "resolve", className: "btn primary" };
}

export function resultText(event: EventView, result: EventResult): string {
  const labels: Readonly<Record<EventResult, string>> = {
    true: event.trueLabel,
    false: event.falseLabel,
    void: words.voidResult,
  };
  return labels[result];
}

/** "4. Who scores first?" */
export function numbered(events: readonly EventView[], event: EventView): string {
  return say`${numberOf(events, event)}. ${event.title}`;
}

export function Reason({ id, required }: { id: string; required?: true }) {
  return (
    <Field
      id={id}
      label={required === true ? words.reason : "Reason, if you like"}
      name="reason"
      type="textarea"
      maxLength={REASON_LENGTH_MAX}
      hint="Players read it."
      {...(required === true ? {} : { optional: true as const })}
    />
  );
}
