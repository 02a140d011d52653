import { isBesideOrder } from "#db/lists/limits.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { streamDelay } from "../base/api/stream-delay.ts";
import { useServerTime } from "../base/live/clock.ts";
import type { ActionState, Withdrawn } from "./action-state.ts";

/** The last seconds before the close, in which the clock is emphasised. */
export const CLOSING_MS = 5_000;
/** How long a result is shown before the next event. */
export const RESULT_SHOWN_MS = 7_000;

/** For so long before it opens the next event is on the card, so that its question is read before it can be called. */
export const UP_NEXT_MS = 5_000;

/** Who waits longer may look at another question. */
const LONG_WAIT_MS = 60_000;

/** What the card shows. `locking`: the time is up, and the server has not yet confirmed the close. */
export const phases = [
  "pending",
  "waiting",
  "visible",
  "open",
  "closing",
  "locking",
  "closed",
  "paused",
  "resolved",
  "withdrawn",
  "stopped",
] as const;
export type Phase = (typeof phases)[number];

export type CurrentEvent = { event: EventView | null; phase: Phase };

/** What decides which event is on the card. */
export type Shown = Pick<ActionState, "session" | "events" | "withdrawn">;

/** @param nowMs the server's time, in milliseconds. */
export function currentEventAt(state: Shown, nowMs: number): CurrentEvent {
  const { session, withdrawn } = state;
  const isPaused = session.state === "paused";
  const event = chooseEvent(state, nowMs);
  if (session.state === "stopped") {
    const last =
      event !== null && state.events.includes(event) && (event.state === "closed" || isFresh(event, nowMs));
    return last ? { event, phase: phaseOf(event, nowMs) } : { event: null, phase: "stopped" };
  }
  if (session.state === "pending") return { event: null, phase: "pending" };
  if (event === null) return { event, phase: isPaused ? "paused" : "waiting" };
  if (isPaused) return inPause(event, state, nowMs);
  return { event, phase: event === withdrawn?.event ? "withdrawn" : phaseOf(event, nowMs) };
}

/** The events of which the player chooses one: those that are open for days, while none of the running order is played. */
export function choicesAt(state: Shown, nowMs: number): EventView[] {
  const { event, phase } = currentEventAt(state, nowMs);
  const isPlayed = phase === "open" || phase === "closing" || phase === "paused";
  return event !== null && isPlayed && isBesideOrder(event) ? openForDays(state) : [];
}

/** The current event, or the one that is open for days and that the player has chosen, also by a link, while nothing else is near. */
export function chosenEventAt(state: Shown, nowMs: number, chosenId: number | null): CurrentEvent {
  const current = currentEventAt(state, nowMs);
  const isIdle = isWaiting(current, nowMs) || choicesAt(state, nowMs).length > 0;
  const chosen = isIdle ? openForDays(state).find(({ id }) => id === chosenId) : undefined;
  if (chosen === undefined) return current;
  return { event: chosen, phase: state.session.state === "paused" ? "paused" : phaseOf(chosen, nowMs) };
}

/** For long, for a result or an opening. */
function isWaiting({ event, phase }: CurrentEvent, nowMs: number): boolean {
  if (event === null || (phase !== "closed" && phase !== "visible")) return false;
  return Math.abs(at(phase === "closed" ? event.closedAt : event.opensAt) - nowMs) > LONG_WAIT_MS;
}

/** In a pause what is played stands still, and what was withdrawn is told for its time. */
function inPause(event: EventView, { withdrawn }: Shown, nowMs: number): CurrentEvent {
  if (event !== withdrawn?.event) {
    const isPlayed = event.state === "open" || event.state === "visible";
    return { event, phase: isPlayed ? "paused" : phaseOf(event, nowMs) };
  }
  return isJustGone(withdrawn, nowMs) ? { event, phase: "withdrawn" } : { event: null, phase: "paused" };
}

/**
 * Chooses the event for the card: the open one that closes first, else the one that opens in a moment, else one that was just
 * resolved or withdrawn, else one that waits for its result, else the next to open, else one that is open for days, else the last
 * that was resolved or withdrawn: an older result never comes back.
 */
function chooseEvent(state: Shown, nowMs: number): EventView | null {
  const { session, events } = state;
  const inState = (name: EventView["state"]) =>
    events.filter((event) => event.state === name && !isBesideOrder(event));
  const [open] = inState("open").toSorted(closesFirst);
  if (open !== undefined) return open;
  const [closed] = inState("closed").toSorted((one, other) => at(other.closedAt) - at(one.closedAt));
  const [next] = inState("visible").toSorted((one, other) => at(one.opensAt) - at(other.opensAt));
  // In a pause nothing comes nearer.
  const showMs = session.pausedAt === null ? nowMs : Date.parse(session.pausedAt);
  if (next !== undefined && at(next.opensAt) - showMs <= UP_NEXT_MS) return next;
  const { fresh, last } = overIn(state, nowMs);
  return fresh ?? closed ?? next ?? openForDays(state)[0] ?? last;
}

/** The events that are open beside the running order, what closes first before the others. */
function openForDays({ events }: Shown): EventView[] {
  return events.filter((event) => event.state === "open" && isBesideOrder(event)).toSorted(closesFirst);
}

function closesFirst(one: EventView, other: EventView): number {
  return at(one.closesAt) - at(other.closesAt);
}

/** What was resolved or withdrawn: in the last seconds, and last of all. */
function overIn({ events, withdrawn }: Shown, nowMs: number): Record<"fresh" | "last", EventView | null> {
  const resolved = events
    .filter(({ state }) => state === "resolved")
    .toSorted((one, other) => at(other.resolvedAt) - at(one.resolvedAt));
  const [last = null] = resolved;
  const fresh = resolved.find((event) => isFresh(event, nowMs)) ?? null;
  // One that is asked again is in the list.
  if (withdrawn === null || events.some(({ id }) => id === withdrawn.event.id)) return { fresh, last };
  const justGone = isJustGone(withdrawn, nowMs) ? withdrawn.event : null;
  const isLast = last === null || Date.parse(withdrawn.at) > at(last.resolvedAt);
  // What came last is told.
  const [first, second] = isLast ? [justGone, fresh] : [fresh, justGone];
  return { fresh: first ?? second, last: isLast ? withdrawn.event : last };
}

function isJustGone({ at: goneAt }: Withdrawn, nowMs: number): boolean {
  return nowMs - Date.parse(goneAt) < RESULT_SHOWN_MS;
}

function isFresh(event: EventView, nowMs: number): boolean {
  return event.state === "resolved" && nowMs - at(event.resolvedAt) < RESULT_SHOWN_MS;
}

function phaseOf(event: EventView, nowMs: number): Phase {
  if (event.state === "open") {
    const leftMs = at(event.closesAt) - nowMs;
    if (leftMs <= 0) return "locking";
    return leftMs <= CLOSING_MS ? "closing" : "open";
  }
  if (event.state === "visible" || event.state === "closed" || event.state === "resolved") return event.state;
  return "waiting";
}

function at(moment: string | null): number {
  return moment === null ? Number.MAX_SAFE_INTEGER : Date.parse(moment);
}

type Current = CurrentEvent & {
  /** Behind a stream delay: calls really close earlier than the card shows. Otherwise empty. */
  closeWarning: string;
  /** The server takes calls on the event. */
  takesCalls: boolean;
};

/** The current event and its phase. Renders again when one of them changes, not with every tick of the clock. */
export function useCurrentEvent<State extends ActionState>(
  state: State,
  renderedAt: string,
  chooseAt: (state: State, nowMs: number) => CurrentEvent = currentEventAt,
): Current {
  const key = useServerTime((nowMs) => {
    const current = chooseAt(state, nowMs);
    return `${current.event?.id ?? 0}:${current.phase}`;
  }, renderedAt);
  const [id, name] = key.split(":");
  const listed = state.events.find((each) => each.id === Number(id));
  const event = listed ?? (name === "withdrawn" ? (state.withdrawn?.event ?? null) : null);
  const phase = phases.find((each) => each === name) ?? "waiting";
  const closeWarning = useServerTime(() => streamDelay.warningFor(event), renderedAt);
  const takesCalls = (phase === "open" || phase === "closing") && !streamDelay.isClosed(event);
  return { event, phase, closeWarning, takesCalls };
}
