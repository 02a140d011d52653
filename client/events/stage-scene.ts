import { isBesideOrder } from "#db/lists/limits.ts";
import { resultSeconds } from "#src/show/events/pace/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { StageDecision } from "#src/show/stage/schemas.ts";
import type { ActionState } from "./action-state.ts";
import { type CurrentEvent, currentEventAt, UP_NEXT_MS } from "./current-event.ts";

/** So long a result is shown on the big screen before anything but an open question: from the decision on, and once it is paid. */
export const leastMsOf = (event: EventView): number => resultSeconds(event) * 1_000;
/** A paid result stays for so long where no question is to come. Else, and then, the leaders are shown. */
const RESULT_SHOWN_MS = 15_000;
/** A result that a question has cut off comes again after it, unless the room had so long for it. */
const SEEN_MS = 2_000;

export type Scene = "lobby" | "question" | "result" | "between" | "end";

/** `decisions`: when results were decided and corrected, as far as the events do not tell it. */
type Staged = Pick<ActionState, "session" | "events" | "withdrawn"> & {
  decisions?: readonly StageDecision[] | undefined;
};

/**
 * What is on the big screen: as on the Action page, but a result comes before the next question and before others that still wait for
 * theirs. Players have read it on their phones; a room looks up. A correction is told like a result, and what was decided while a
 * question was open is told after it, one result after the other.
 */
export function stageEventAt(state: Staged, nowMs: number): CurrentEvent {
  const current = currentEventAt(state, nowMs);
  if (current.phase === "pending" || current.phase === "withdrawn" || isPlayed(current.event)) return current;
  const atMs = heardBy(state, nowMs);
  const told = toldResults(state).findLast(({ fromMs }) => fromMs <= atMs);
  if (told === undefined || atMs >= leastUntil(told)) return current;
  return { event: told.event, phase: told.event.state === "resolved" ? "resolved" : "closed" };
}

/** True for an open question of the running order. What is open for days gives way to results. */
function isPlayed(event: EventView | null): boolean {
  return event?.state === "open" && !isBesideOrder(event);
}

/** The scene of a moment. The next question is shown as long before it opens as on the Action page; until then the leaders are. */
export function sceneAt(
  state: Staged & { leaders: readonly unknown[] },
  { event, phase }: CurrentEvent,
  nowMs: number,
): Scene {
  if (phase === "pending") return "lobby";
  if (phase === "stopped") return "end";
  if (event === null) return "between";
  if (event.state === "open" || phase === "withdrawn") return "question";
  return event.state === "visible"
    ? sceneBefore(state, { event, phase }, nowMs)
    : sceneAfter(state, { event, phase }, nowMs);
}

type Shown = CurrentEvent & { event: EventView };
type StagedLeaders = Parameters<typeof sceneAt>[0];

function sceneBefore(state: StagedLeaders, { event, phase }: Shown, nowMs: number): Scene {
  if (!isUpLater(event, nowMs)) return "question";
  if (wantsLeaders(state)) return "between";
  const hasLeaders = state.leaders.length > 0 && state.events.some(({ state: name }) => name === "resolved");
  return phase === "visible" && hasLeaders ? "between" : "question";
}

function sceneAfter(state: StagedLeaders, { event, phase }: Shown, nowMs: number): Scene {
  if (wantsLeaders(state)) return "between";
  if (phase === "resolved") return isToldStill(state, event, nowMs) ? "result" : "between";
  return phase === "closed" && event.pendingResult !== null ? "result" : "question";
}

/** True while the leaders are on the big screen because a host has asked for them: until anything is asked, decided or corrected. */
export function wantsLeaders(state: Staged): boolean {
  const { state: name, startedAt, settings } = state.session;
  if (settings.leadersAt === undefined || startedAt === null || name === "stopped") return false;
  const sinceMs = Date.parse(settings.leadersAt);
  const newestMs = state.events.flatMap((event) => [momentOf(event.openedAt, 0), toldMs(event, state) ?? 0]);
  return Math.max(Date.parse(startedAt), ...newestMs) <= sinceMs;
}

/** A result, and the moment from which the big screen shows it. */
type ToldResult = { event: EventView; fromMs: number };

/**
 * The results in the order in which they are on the big screen. Each has its time: after the one before it, and where no question is open.
 * That follows from what has happened, so a screen that is opened later shows the same.
 */
export function toldResults(state: Staged): ToldResult[] {
  const known = state.events
    .flatMap((event) => {
      const atMs = toldMs(event, state);
      return atMs === null ? [] : [{ event, atMs }];
    })
    .toSorted((one, other) => one.atMs - other.atMs);
  const told: ToldResult[] = [];
  for (const { event, atMs } of known) {
    const before = told.at(-1);
    const freeMs = before === undefined ? Number.NEGATIVE_INFINITY : before.fromMs + leastMsOf(before.event);
    told.push({ event, fromMs: besideQuestions(state.events, Math.max(atMs, freeMs)) });
  }
  return told;
}

/** The first moment from another one on at which no question is open, and none opens before the room has seen a result. */
function besideQuestions(events: readonly EventView[], fromMs: number): number {
  return events
    .filter((event) => event.openedAt !== null && !isBesideOrder(event))
    .toSorted((one, other) => momentOf(one.openedAt, 0) - momentOf(other.openedAt, 0))
    .reduce((ms, { state, openedAt, closedAt }) => {
      const closedMs = state === "open" ? Number.POSITIVE_INFINITY : momentOf(closedAt, 0);
      return momentOf(openedAt, 0) < ms + SEEN_MS && closedMs > ms ? closedMs : ms;
    }, fromMs);
}

/** When a result was decided or corrected last; null for an event without one, and for one that nobody knows the moment of. */
function toldMs(event: EventView, { decisions = [], session }: Staged): number | null {
  const { id, state, closedAt, pendingResult, paysAt, resolvedAt } = event;
  const isPending = state === "closed" && pendingResult !== null;
  if (!isPending && state !== "resolved") return null;
  const decision = decisions.find(({ eventId }) => eventId === id);
  if (decision !== undefined) return Date.parse(decision.corrected?.at ?? decision.at);
  // It comes with the next answer.
  if (!isPending) return momentOf(resolvedAt, momentOf(closedAt, 0));
  return paysAt === null ? null : Date.parse(paysAt) - session.settings.settlementDelaySeconds * 1_000;
}

/** The moment on a screen whose clock may be behind: what it has heard of has happened. */
function heardBy(state: Staged, nowMs: number): number {
  return Math.max(nowMs, ...state.events.map((event) => toldMs(event, state) ?? nowMs));
}

/** Until then nothing but a question takes its place. */
function leastUntil({ event, fromMs }: ToldResult): number {
  return Math.max(fromMs, momentOf(event.resolvedAt, fromMs)) + leastMsOf(event);
}

function isToldStill(state: Staged, event: EventView, nowMs: number): boolean {
  const told = toldResults(state).find((each) => each.event.id === event.id);
  const atMs = heardBy(state, nowMs);
  if (told === undefined || atMs < told.fromMs) return false;
  const isNextKnown = state.events.some(({ state: name, opensAt }) => name === "visible" && opensAt !== null);
  const untilMs = leastUntil(told);
  return atMs < (isNextKnown ? untilMs : untilMs - leastMsOf(event) + RESULT_SHOWN_MS);
}

/** A question that is to come, and not in a moment. */
function isUpLater({ state, opensAt }: EventView, nowMs: number): boolean {
  return state === "visible" && Date.parse(opensAt ?? "") - nowMs > UP_NEXT_MS;
}

function momentOf(moment: string | null, otherwise: number): number {
  return moment === null ? otherwise : Date.parse(moment);
}
