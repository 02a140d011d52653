import type { ReactNode } from "react";
import { countOf } from "#client/base/format/count.ts";
import { minutes } from "#client/base/format/countdown.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { Confirm } from "#client/ui/confirm.tsx";
import { say } from "#src/http/contract.ts";
import { leftToUndoStop, sessionTransitions } from "#src/show/sessions/contract.ts";
import { ActForm } from "./act-form.tsx";
import { useShow } from "./show-context.ts";
import { keyOf } from "./use-acting.ts";

const SECOND_MS = 1_000;

/** Takes a start back that came too early. It is there until somebody has called. */
export function BackToLobby() {
  const { session, events, acting } = useShow();
  const isLive = session.state === "running" || session.state === "paused";
  if (!isLive || events.some(({ callsCount }) => callsCount > 0)) return null;
  const shown = events.filter(({ state }) => state !== "draft" && state !== "hidden").length;
  return (
    <Confirm
      label={sessionTransitions.take_back_start.label}
      title={say`Take ${session.name} back to the lobby?`}
      form={ActForm}
      act={{
        label: "Back to the lobby",
        intent: "take_back_start",
        busy: acting.busy.has(keyOf("take_back_start", "")),
      }}
      cancelLabel="Keep it going"
    >
      <p>Nobody has called yet. The show waits for its start again.</p>
      <ul className="consequences">
        <li>{`${countOf(shown, "action")} that players have seen will be as planned.`}</li>
        <li>The code, the players, their teams and the reminders stay.</li>
      </ul>
    </Confirm>
  );
}

/** Undoes a stop while that is possible. @param fallback what is there otherwise. */
export function UndoStop({ fallback }: { fallback: ReactNode }) {
  const { session, events, acting, renderedAt } = useShow();
  const leftSeconds = useServerTime(
    (nowMs) => Math.ceil(leftToUndoStop(session, nowMs) / SECOND_MS),
    renderedAt,
  );
  if (leftSeconds <= 0) return fallback;
  const closed = events.filter(({ state }) => state === "closed").length;
  return (
    <Confirm
      label={
        <>
          <span>{sessionTransitions.take_back_stop.label}</span>{" "}
          <span className="num">{minutes(leftSeconds * SECOND_MS)}</span>
        </>
      }
      className="btn primary"
      title={say`Undo the stop of ${session.name}?`}
      form={ActForm}
      act={{
        label: "Undo the stop",
        intent: "take_back_stop",
        busy: acting.busy.has(keyOf("take_back_stop", "")),
      }}
      cancelLabel="Leave it stopped"
    >
      <p>The show goes on where it was, with what comes later by so much.</p>
      <ul className="consequences">
        {closed === 0 ? null : (
          <li>{`${countOf(closed, "closed action")} will stay closed: the calls are valid and wait for your result.`}</li>
        )}
        <li>Players read that it goes on.</li>
      </ul>
    </Confirm>
  );
}
