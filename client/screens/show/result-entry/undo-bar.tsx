import { type CSSProperties, useLayoutEffect, useRef, useState } from "react";
import { minutes } from "#client/base/format/countdown.ts";
import * as words from "#client/base/format/words.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { useViewer } from "#client/base/page/context.ts";
import { fill } from "#client/ui/fill.tsx";
import { Icon } from "#client/ui/icon.tsx";
import { Note } from "#client/ui/note.tsx";
import { type EventResult, results } from "#db/lists/events.ts";
import { say } from "#src/http/contract.ts";
import { UNDO_WITHIN_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { HostView } from "#src/show/hosting/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { Act, KeyCap } from "../running/act-form.tsx";
import { disabledReasonForMove } from "../running/disabled-reason.ts";
import {
  STAGE_ID,
  decidedMs,
  decidedResult,
  listUndoable,
  numberOf,
  payingText,
} from "../running/on-stage.ts";
import { useShow, type Show } from "../running/show-context.ts";
import { ArmButton, numbered, resultText } from "./arm-button.tsx";

/**
 * The results that can be undone, the newest first. Until a result is paid it can be taken back or replaced; for some seconds
 * after the decision it can be corrected without a reason. The key U belongs to the newest one.
 */
export function UndoBar() {
  const { events, renderedAt } = useShow();
  const viewerId = useViewer()?.id;
  const undoable = useServerTime((nowMs) => listUndoable(events, { viewerId, nowMs }).join(" "), renderedAt);
  const ids = undoable.split(" ").filter(Boolean).map(Number);
  const bars = ids.flatMap((id) => events.find((event) => event.id === id) ?? []);
  return (
    <>
      <UndoNews newest={bars[0] ?? null} />
      <TooLate />
      {bars.map((event, index) => (
        <Bar key={event.id} event={event} hotkey={index === 0 ? "U" : undefined} />
      ))}
    </>
  );
}

/** U was pressed while the result was sent, and it was paid before that could be said. */
function TooLate() {
  const { events, earlyUndo } = useShow();
  const event = events.find(({ id }) => id === earlyUndo.lateId);
  if (event?.state !== "resolved") return null;
  return (
    <Note tone="warn">{`${numberOf(events, event)} was paid before it could be taken back. Correct it instead: every player reads why.`}</Note>
  );
}

type BarProps = { event: EventView; hotkey: string | undefined };

/** One result. The key U takes a pending one back, and arms the next result in the list for a paid one. */
function Bar({ event, hotkey }: BarProps) {
  const { events } = useShow();
  const bar = useFocusOnStageAfter();
  const pending = event.pendingResult !== null;
  const current = decidedResult(event);
  const others = results.filter((result) => result !== current);
  return (
    <section className="undo" aria-label={words.undo} ref={bar}>
      <Icon name={pending ? "clock" : "slip"} />
      <p className="stack">
        {pending ? <PendingFacts event={event} /> : <PaidFacts event={event} />}
        <span className="small ink2 clip" title={event.title}>
          {numbered(events, event)}
        </span>
      </p>
      <span className="row wrap">
        {pending ? <TakeBack event={event} hotkey={hotkey} /> : null}
        {others.map((result, index) => {
          const key = index === 0 && !pending ? hotkey : undefined;
          return (
            <ArmButton
              key={result}
              event={event}
              act={result}
              className={key === undefined ? "btn" : "btn you"}
              hotkey={key}
            >
              <span>{say`${resultText(event, result)} instead`}</span>{" "}
              {key === undefined ? null : <KeyCap name={key} />}
            </ArmButton>
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
      disabledReason={disabledReasonForMove(session, event, "withdraw")}
      className="btn you"
      fields={{ version: String(event.version), decided_at: event.plan?.decided?.at ?? "" }}
      {...(hotkey === undefined ? {} : { hotkey })}
    >
      <Icon name="undo" size="s" /> {words.takeItBack}{" "}
      {hotkey === undefined ? null : <KeyCap name={hotkey} />}
    </Act>
  );
}

/** "Result: True, pays in 0:05" */
function PendingFacts({ event }: { event: EventView }) {
  const show = useShow();
  const { session } = show;
  const { paysAt, plan } = event;
  const name = nameOfDecider(show, event, useViewer()?.id);
  const result = name === null ? say`Result: ${textOf(event)}` : say`${name}: ${textOf(event)}`;
  return (
    <>
      <b className="num">
        {paysAt !== null
          ? fill("{result}, pays in {left}", {
              result,
              left: <TimeLeft toMs={Date.parse(paysAt)} outOfS={session.settings.settlementDelaySeconds} />,
            })
          : `${result}, pays ${minutes(plan?.remainingMs ?? 0)} after the show resumes`}
      </b>
      <span className="small">
        {disabledReasonForMove(session, event, "withdraw") === null
          ? "Nobody is paid yet: it can be taken back."
          : "Nobody is paid yet."}
      </span>
    </>
  );
}

function PaidFacts({ event }: { event: EventView }) {
  return (
    <>
      <b>{payingText(event) ?? say`Paid: ${textOf(event)}`}</b>
      <span className="small num">
        {fill("Correct it without a reason for {left}.", {
          left: <TimeLeft toMs={decidedMs(event) + UNDO_WITHIN_MS} outOfS={UNDO_WITHIN_MS / 1_000} />,
        })}
      </span>
    </>
  );
}

/** "0:05", and a line along the bar that becomes shorter. Screen readers hear the bar's news instead of every second. */
function TimeLeft({ toMs, outOfS }: { toMs: number; outOfS: number }) {
  const { renderedAt } = useShow();
  // What is left for the way of a U is not counted.
  const leftS = useServerTime(
    (nowMs) => Math.min(outOfS, Math.max(0, Math.ceil((toMs - nowMs) / 1_000))),
    renderedAt,
  );
  const style: CSSProperties & { "--left": number } = { "--left": Math.min(1, leftS / Math.max(1, outOfS)) };
  return (
    <>
      <span>{minutes(leftS * 1_000)}</span>
      <span className="left" style={style} />
    </>
  );
}

/** Announces what the newest bar offers, once for each decision, and that a result was taken back. */
function UndoNews({ newest }: { newest: EventView | null }) {
  const { session, events } = useShow();
  const [last, setLast] = useState<{ id: number; decidedMs: number } | null>(null);
  // An older result that can still be undone is no news.
  if (newest !== null && decidedMs(newest) > (last?.decidedMs ?? 0)) {
    setLast({ id: newest.id, decidedMs: decidedMs(newest) });
  }
  const event = events.find(({ id }) => id === last?.id) ?? null;
  return (
    <p className="vh" role="status">
      {event === null ? "" : newsOf(session, event, newest?.id === event.id)}
    </p>
  );
}

/** U is named to those who may use it. */
function newsOf(session: SessionView, event: EventView, undoable: boolean): string {
  if (event.pendingResult !== null) {
    const canUndo = disabledReasonForMove(session, event, "withdraw") === null;
    return canUndo
      ? `Result: ${textOf(event)}, not paid yet. U takes it back to undecided.`
      : `Result: ${textOf(event)}, not paid yet.`;
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

/** What other hosts are about to do to some events: "Ana is about to call 4 Yes." */
export function OthersArming({ about }: { about: readonly EventView[] }) {
  const { events, hosting } = useShow();
  const lines = hosting.others.flatMap((host) => {
    const event = about.find(({ id }) => id === host.arming?.eventId);
    return event === undefined ? [] : [{ host, event }];
  });
  return (
    <div role="status">
      {lines.map(({ host, event }) => (
        <p className="others-arming small" key={host.tab}>
          {armingText(host, event, numberOf(events, event), hosting.nameOf(host))}
        </p>
      ))}
    </div>
  );
}

function armingText({ arming }: HostView, event: EventView, number: number, name: string): string {
  if (arming === null) return "";
  if (arming.act === "skip") return say`${name} is about to skip ${number}.`;
  if (arming.act === "void") return say`${name} is about to void ${number}.`;
  return say`${name} is about to call ${number} ${resultText(event, arming.act)}.`;
}

/** Who decided an event's result; null for the viewer, for a timer, and for somebody whose name the page does not have. */
export function nameOfDecider(
  { hosting, audit }: Pick<Show, "hosting" | "audit">,
  { plan }: EventView,
  viewerId: number | undefined,
): string | null {
  const id = plan?.decided?.byId ?? null;
  if (id === null || id === viewerId) return null;
  const host = hosting.others.find(({ userId }) => userId === id);
  return host?.username ?? audit.find(({ actor }) => actor?.id === id)?.actor?.username ?? null;
}
