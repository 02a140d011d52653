import type { ReactNode } from "react";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { say } from "#src/http/contract.ts";
import { activeCallStates, whyNotCancel } from "#src/play/calls/contract.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { sessionTransitions } from "#src/show/sessions/contract.ts";
import { leftToUndoStop } from "#src/show/sessions/pages/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { AskAct } from "./act-form.tsx";
import { useShow } from "./show-context.ts";

/** Takes a start back that came too early. It is there until somebody has called. */
export function BackToLobby() {
  const { session, events } = useShow();
  const isLive = session.state === "running" || session.state === "paused";
  if (!isLive || events.some(({ callsCount }) => callsCount > 0)) return null;
  const shown = events.filter(({ state }) => state !== "draft" && state !== "hidden").length;
  return (
    <AskAct
      label={sessionTransitions.take_back_start.label}
      title={say`Take ${session.name} back to the lobby?`}
      act={{ label: "Back to the lobby", intent: "take_back_start" }}
      cancelLabel="Keep it going"
    >
      <p>Nobody has called yet. The show waits for its start again.</p>
      <ul className="consequences">
        <li>{`${countOf(shown, "action")} that players have seen will be as planned.`}</li>
        <li>The code, the players, their teams and the reminders stay.</li>
      </ul>
    </AskAct>
  );
}

/** Undoes a stop while that is possible. @param fallback what is there otherwise. */
export function UndoStop({ fallback }: { fallback: ReactNode }) {
  const { session, events, renderedAt } = useShow();
  const leftSeconds = useServerTime((nowMs) => Math.ceil(leftToUndoStop(session, nowMs) / 1_000), renderedAt);
  if (leftSeconds <= 0) return fallback;
  const closed = events.filter(({ state }) => state === "closed").length;
  return (
    <AskAct
      label={
        <>
          <span>{sessionTransitions.take_back_stop.label}</span>{" "}
          <span className="num">{minutes(leftSeconds * 1_000)}</span>
        </>
      }
      className="btn primary"
      title={say`Undo the stop of ${session.name}?`}
      act={{ label: "Undo the stop", intent: "take_back_stop" }}
      cancelLabel="Leave it stopped"
    >
      <p>The show goes on where it was, with what comes later by so much.</p>
      <ul className="consequences">
        {closed === 0 ? null : (
          <li>{`${countOf(closed, "closed action")} will stay closed: the calls are valid and wait for your result.`}</li>
        )}
        <li>Players read that it goes on.</li>
      </ul>
    </AskAct>
  );
}

/** Calls of the viewer that come back with an act. */
type OwnCalls = { callsCount: number; cents: number };

/** What a skip of this event gives back to the viewer. */
export function heldOn({ myCalls }: EventView): OwnCalls {
  return sumOf(myCalls.filter(({ state }) => activeCallStates.includes(state)));
}

/**
 * What Pause and Stop give back to the viewer: the own calls on open events, as far as a player may take back a call
 * (src/play/calls/require-no-stake.ts). None in a small room.
 */
export function takenBackAt(
  { settings, pausedAt }: Pick<SessionView, "settings" | "pausedAt">,
  events: readonly EventView[],
  nowMs: number,
): OwnCalls {
  if (settings.smallRoom) return sumOf([]);
  const times = { pausedAtMs: pausedAt === null ? null : Date.parse(pausedAt), nowMs };
  const calls = events.flatMap(({ state: eventState, closesAt, myCalls }) => {
    const closesAtMs = closesAt === null ? null : Date.parse(closesAt);
    return myCalls.filter(({ state, placedAt }) => {
      const placedAtMs = Date.parse(placedAt);
      return whyNotCancel({ state, eventState, placedAtMs, closesAtMs, ...times }) === null;
    });
  });
  return sumOf(calls);
}

export function useTakenBack(): OwnCalls {
  const { session, events, renderedAt } = useShow();
  const callsCount = useServerTime((nowMs) => takenBackAt(session, events, nowMs).callsCount, renderedAt);
  const cents = useServerTime((nowMs) => takenBackAt(session, events, nowMs).cents, renderedAt);
  return { callsCount, cents };
}

function sumOf(calls: readonly CallView[]): OwnCalls {
  return { callsCount: calls.length, cents: calls.reduce((sum, { wagerCents }) => sum + wagerCents, 0) };
}
