import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";
import { results } from "#db/lists/events.ts";
import type { EventResult } from "#db/lists/events.ts";
import { UNDO_WITHIN_MS } from "#src/events/contract.ts";
import type { EventView } from "#src/events/schemas.ts";
import { useServerTime } from "../clock.ts";
import { useViewer } from "../context.ts";
import { minutes } from "../ui/countdown.ts";
import { Icon } from "../ui/icon.tsx";
import { Act } from "./act-form.tsx";
import { Decide, resultText } from "./decide.tsx";
import { KeyCap } from "./key-cap.tsx";
import { payingText } from "./paying-text.ts";
import { useShow } from "./show-context.ts";
import { decidedMs, decidedResult, listUndoable } from "./undoable.ts";
import { STAGE_ID } from "./use-stage.ts";
import { whyNotMove } from "./why-not.ts";

const SECOND_MS = 1_000;

/**
 * The results that can be undone, the newest first. Until a result is paid it can be taken back or replaced; for some seconds
 * after the decision it can be corrected without a reason. The key U belongs to the newest one.
 */
export function UndoBar() {
  const { events, renderedAt } = useShow();
  const viewerId = useViewer()?.id;
  const undoable = useServerTime((nowMs) => listUndoable(events, { viewerId, nowMs }).join(" "), renderedAt);
  // A bar stays while one of its questions is open, also if its time ends meanwhile.
  const [askingId, setAskingId] = useState<number | null>(null);
  const ids = new Set(undoable.split(" ").filter(Boolean).map(Number));
  if (askingId !== null) ids.add(askingId);
  const bars = [...ids].flatMap((id) => events.find((event) => event.id === id) ?? []);
  return (
    <>
      <UndoNews newest={bars[0] ?? null} />
      {bars.map((event, index) => (
        <Bar
          key={event.id}
          event={event}
          hotkey={index === 0 ? "U" : undefined}
          onAsk={(asking) => setAskingId(asking ? event.id : null)}
        />
      ))}
    </>
  );
}

type BarProps = { event: EventView; hotkey: string | undefined; onAsk: (asking: boolean) => void };

/** One result. The key U takes a pending one back, and corrects a paid one to the next result in the list. */
function Bar({ event, hotkey, onAsk }: BarProps) {
  const bar = useFocusOnStageAfter();
  const pending = event.pendingResult !== null;
  const current = decidedResult(event);
  const others = results.filter((result) => result !== current);
  return (
    <section className="undo" aria-label="Undo" ref={bar}>
      <Icon name={pending ? "clock" : "slip"} />
      <p className="stack">
        {pending ? <PendingFacts event={event} /> : <PaidFacts event={event} />}
        <span className="small ink2 clip" title={event.title}>
          {event.title}
        </span>
      </p>
      <span className="row wrap">
        {pending ? <TakeBack event={event} hotkey={hotkey} /> : null}
        {others.map((result, index) => {
          const key = index === 0 && !pending ? hotkey : undefined;
          return (
            <Decide
              key={result}
              event={event}
              result={result}
              className={key === undefined ? "btn" : "btn you"}
              hotkey={key}
              onToggle={onAsk}
            >
              {resultText(event, result)} instead {key === undefined ? null : <KeyCap name={key} />}
            </Decide>
          );
        })}
      </span>
    </section>
  );
}

function TakeBack({ event, hotkey }: Pick<BarProps, "event" | "hotkey">) {
  const { session } = useShow();
  return (
    <Act
      intent="withdraw"
      event={event}
      why={whyNotMove(session, event, "withdraw")}
      className="btn you"
      {...(hotkey === undefined ? {} : { hotkey })}
    >
      <Icon name="undo" size="s" /> Take it back {hotkey === undefined ? null : <KeyCap name={hotkey} />}
    </Act>
  );
}

/** "Result: True, pays in 0:05" */
function PendingFacts({ event }: { event: EventView }) {
  const { session } = useShow();
  const { paysAt, plan } = event;
  const result = `Result: ${textOf(event)}`;
  return (
    <>
      <b className="num">
        {paysAt !== null ? (
          <>
            {result}, pays in{" "}
            <TimeLeft toMs={Date.parse(paysAt)} outOfS={session.settings.settlementDelaySeconds} />
          </>
        ) : (
          `${result}, pays ${minutes(plan?.remainingMs ?? 0)} after the show resumes`
        )}
      </b>
      <span className="small">Nobody is paid yet: it can be taken back.</span>
    </>
  );
}

function PaidFacts({ event }: { event: EventView }) {
  return (
    <>
      <b>{payingText(event) ?? `Paid: ${textOf(event)}`}</b>
      <span className="small num">
        Correct it without a reason for{" "}
        <TimeLeft toMs={decidedMs(event) + UNDO_WITHIN_MS} outOfS={UNDO_WITHIN_MS / SECOND_MS} />.
      </span>
    </>
  );
}

/** "0:05", and a line along the bar that becomes shorter. Screen readers hear the bar's news instead of every second. */
function TimeLeft({ toMs, outOfS }: { toMs: number; outOfS: number }) {
  const { renderedAt } = useShow();
  const leftS = useServerTime((nowMs) => Math.max(0, Math.ceil((toMs - nowMs) / SECOND_MS)), renderedAt);
  const style: CSSProperties & { "--left": number } = { "--left": Math.min(1, leftS / Math.max(1, outOfS)) };
  return (
    <>
      {minutes(leftS * SECOND_MS)}
      <span className="left" style={style} />
    </>
  );
}

/** Announces what the newest bar offers, once for each decision, and that a result was taken back. */
function UndoNews({ newest }: { newest: EventView | null }) {
  const { events } = useShow();
  const [lastId, setLastId] = useState<number | null>(null);
  if (newest !== null && newest.id !== lastId) setLastId(newest.id);
  const event = newest ?? events.find(({ id }) => id === lastId) ?? null;
  return (
    <p className="vh" role="status">
      {event === null ? "" : newsOf(event, newest !== null)}
    </p>
  );
}

function newsOf(event: EventView, undoable: boolean): string {
  if (event.pendingResult !== null) {
    return `Result: ${textOf(event)}, not paid yet. U takes it back to undecided.`;
  }
  if (decidedResult(event) === null) return "Taken back: it is undecided, and no money has moved.";
  return undoable ? `Paid: ${textOf(event)}. U corrects it, after a preview.` : "";
}

function textOf(event: EventView): string {
  const current: EventResult | null = decidedResult(event);
  return current === null ? "" : resultText(event, current);
}

/** When the bar goes while it has the focus, the focus moves to the stage instead of to nowhere. */
function useFocusOnStageAfter() {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const section = bar.current;
    return () => {
      if (section?.contains(document.activeElement) === true) document.getElementById(STAGE_ID)?.focus();
    };
  }, []);
  return bar;
}
