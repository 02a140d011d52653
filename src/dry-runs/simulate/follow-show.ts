import type { EventState } from "#db/lists/events.ts";
import type { Side } from "#db/lists/spots.ts";
import { HOST_DECIDES_SECONDS } from "#src/show/events/pace/contract.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import type { TimelineKind } from "../contract.ts";
import { outcomeOf } from "./outcome.ts";
import { payDecided } from "./pay-decided.ts";
import { placeTap } from "./place-tap.ts";
import { expectOutcome, planTaps } from "./plan-taps.ts";
import { type Play, START_MS } from "./play.ts";
import { type EventSnapshot, readSnapshots } from "./show.ts";

/** The host sees what happened, and decides within this time. */
const DECIDES_AFTER_MS = { min: 2_000, max: HOST_DECIDES_SECONDS * 1_000 };

type Moments = "visibleAtMs" | "openedAtMs" | "closedAtMs" | "resolvedAtMs";
const momentOf: Partial<Record<EventState, Moments>> = {
  visible: "visibleAtMs",
  open: "openedAtMs",
  closed: "closedAtMs",
  resolved: "resolvedAtMs",
};

/**
 * Follows the show after a step: writes down what has changed, and lets the people react. The players of an event that has
 * opened plan their taps; the host of one that has closed is going to decide it.
 */
export function createFollower(play: Play): () => Promise<void> {
  const states = new Map<number, EventState>();
  const decided = new Set<number>();
  return async () => {
    const paid = await payDecided(play.show);
    for (const [event, snapshot] of (await readSnapshots(play.show)).entries()) {
      const { id, state, pendingResult } = snapshot.event;
      if (pendingResult !== null && !decided.has(event)) {
        decided.add(event);
        noteDecided(play, event);
        addToTimeline(play, "decided", event);
      }
      const before = states.get(id) ?? "draft";
      states.set(id, state);
      for (const passed of statesBetween(before, state)) onState(play, event, { passed, snapshot });
    }
    for (const id of paid) notePaid(play, play.show.eventIds.indexOf(id));
  };
}

/** Adds a line to the timeline. @param event its position in the plan; null for the session. */
export function addToTimeline({ show, timeline }: Play, what: TimelineKind, event: number | null): void {
  timeline.push({
    atMs: show.clock.nowMs() - START_MS,
    what,
    event: event === null ? null : event + 1,
  });
}

function noteDecided({ records, show }: Play, event: number): void {
  const record = records[event];
  if (record !== undefined) record.decidedAtMs ??= show.clock.nowMs();
}

function notePaid(play: Play, event: number): void {
  const record = play.records[event];
  if (record !== undefined) record.paidAtMs = play.show.clock.nowMs();
  addToTimeline(play, "paid", event);
}

/** The states that an event usually passes, in their order. */
const course: readonly EventState[] = ["draft", "visible", "open", "closed", "resolved"];

/** The states after `before`, up to `state`. An event that decides itself closes and resolves at the same moment. */
function statesBetween(before: EventState, state: EventState): readonly EventState[] {
  if (state === before) return [];
  const between = course.slice(course.indexOf(before) + 1, course.indexOf(state) + 1);
  return between.length > 0 ? between : [state];
}

function onState(
  play: Play,
  event: number,
  { passed, snapshot }: { passed: EventState; snapshot: EventSnapshot },
): void {
  const { closesAt, result } = snapshot.event;
  const record = play.records[event];
  if (record === undefined || passed === "draft" || passed === "soft_destroyed") return;
  const nowMs = play.show.clock.nowMs();
  const moment = momentOf[passed];
  if (moment !== undefined) record[moment] = nowMs;
  record.result = result;
  if (passed === "resolved") noteDecided(play, event);
  addToTimeline(play, passed, event);
  if (passed !== "open" || closesAt === null) return;
  record.closesAtMs = closesAt.getTime();
  onOpen(play, event, { opensAtMs: nowMs, closesAtMs: closesAt.getTime() });
}

function onOpen(play: Play, event: number, times: { opensAtMs: number; closesAtMs: number }): void {
  const { favourite, outcome } = expectOutcome(play, event);
  const taps = planTaps(play, event, { favourite, ...times });
  play.agenda.add(taps.map((tap) => ({ atMs: tap.arrivedAtMs, act: () => placeTap(play, tap) })));
  if (play.plan.events[event]?.autoResult !== null) return;
  const { min, max } = DECIDES_AFTER_MS;
  const atMs = times.closesAtMs + play.dice.between(min, max);
  play.agenda.add([{ atMs, act: () => decide(play, event, outcome) }]);
}

/** The host decides, unless the time for it was over before. */
async function decide({ show, host }: Play, event: number, result: Side): Promise<void> {
  const eventId = show.eventIds[event] ?? 0;
  const snapshot = (await readSnapshots(show)).find(({ event: { id } }) => id === eventId);
  if (snapshot?.event.state !== "closed") return;
  const outcome = await outcomeOf(resolveEvent(show.deps, { eventId, actor: host, result }));
  if (!outcome.done) throw new Error(`the host could not decide event ${event + 1}: ${outcome.text}`);
}
