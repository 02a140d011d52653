import { type EventState } from "#db/lists/events.ts";
import { allows } from "#src/http/contract.ts";
import {
  type EventAction,
  eventActions,
  eventStateLabel,
  type EventTransition,
  eventTransitions,
} from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { ArmedAct } from "#src/show/hosting/contract.ts";
import {
  type SessionFlagChange,
  sessionFlagChanges,
  sessionStateLabel,
  type SessionTransition,
  sessionTransitions,
} from "#src/show/sessions/contract.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";

const sessionIs = (state: string) => `It is ${state}.`;

/** Why an act is not possible now, in a sentence; null if it is. Uses the server's transition tables; the server checks again. */
export type DisabledReason = string | null;

/** Why this transition of an event is not possible now. */
export function disabledReasonForMove(
  session: SessionView,
  event: EventView,
  name: EventTransition,
): DisabledReason {
  const row = eventTransitions[name];
  if (!allows(eventTransitions, name, event.state)) return wrongState(row, event);
  if (name === "open_event" && session.state !== "running") return notRunning(session);
  if (name === "destroy" && event.callsCount > 0) return "Somebody has called on it.";
  if (name === "withdraw" && event.pendingResult === null) return "No result waits to be paid.";
  return movingMoney.includes(name) ? disabledReasonForRetiming(session, event) : null;
}

/** Transitions that decide about players' money, or on when their calling ends. */
const movingMoney: readonly EventTransition[] = ["close_event", "resolve", "withdraw", "reset"];

/** Why this act of the running order is not possible now. */
export function disabledReasonForAct(
  session: SessionView,
  event: EventView,
  name: EventAction,
): DisabledReason {
  if (session.state !== "running" && session.state !== "paused") return notRunning(session);
  if (!allows(eventActions, name, event.state)) return wrongState(eventActions[name], event);
  if (name === "skip") return null;
  const stake = disabledReasonForRetiming(session, event);
  if (stake !== null) return stake;
  if (name === "delay") return isPlanned(event) ? null : "Nothing is planned for it.";
  const opens = event.state === "visible" || event.state === "closed";
  return opens && session.state === "paused" ? notRunning(session) : null;
}

/** Why a result of an event, or its skip, cannot be armed now. */
export function disabledReasonForArming(
  session: SessionView,
  event: EventView,
  act: ArmedAct,
): DisabledReason {
  return act === "skip"
    ? disabledReasonForAct(session, event, "skip")
    : disabledReasonForMove(session, event, "resolve");
}

/** Why the session cannot start, pause, resume or stop now. */
export function disabledReasonForSessionMove(session: SessionView, name: SessionTransition): DisabledReason {
  if (!allows(sessionTransitions, name, session.state)) {
    return sessionIs(sessionStateLabel(session.state).toLowerCase());
  }
  return name === "start" && session.eventsCount === 0 ? "Add an action first." : null;
}

/** Why the session cannot be activated or deactivated now. */
export function disabledReasonForFlag(session: SessionView, name: SessionFlagChange): DisabledReason {
  if (!allows(sessionFlagChanges, name, session.state)) {
    return sessionIs(sessionStateLabel(session.state).toLowerCase());
  }
  const { active } = sessionFlagChanges[name];
  if (session.active !== active) return null;
  return active ? "Players are sent here already." : "Players are not sent here.";
}

/** Why a new event cannot be opened at once. */
export function disabledReasonForAsking(session: SessionView): DisabledReason {
  return session.state === "running" ? null : notRunning(session);
}

function wrongState(
  { label, from }: { label: string; from: readonly EventState[] },
  event: EventView,
): string {
  const states = from.map((state) => eventStateLabel(state).toLowerCase());
  return `${label} is for ${inWords(states)} actions. This one is ${eventStateLabel(event.state).toLowerCase()}.`;
}

function notRunning({ state }: SessionView): string {
  if (state === "pending") return "The session has not started.";
  if (state === "running") return "The session is running.";
  if (state === "paused") return "The session is paused.";
  return "The session is over.";
}

/** Why the viewer may not decide an event or change its times: an operator with a call on it may not, except in a small room. */
export function disabledReasonForRetiming({ settings }: SessionView, { myCalls }: EventView): DisabledReason {
  const staked = myCalls.some(({ state }) => state !== "soft_destroyed");
  return staked && !settings.smallRoom ? "You have a call on it. Somebody else must do this." : null;
}

function isPlanned({ plan }: EventView): boolean {
  return plan !== null && (plan.dueAt !== null || plan.remainingMs !== null);
}

function inWords(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}
