import type { EventState } from "#db/lists/events.ts";
import type { Side } from "#db/lists/spots.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { HOST_DECIDES_SECONDS } from "#src/show/events/pace/contract.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import type { TimelineKind } from "../contract.ts";
import { outcomeOf } from "./outcome.ts";
import { payDecided } from "./pay-decided.ts";
import { type PlannedTap, type Play, START_MS } from "./play.ts";
import { type EventSnapshot, readSnapshots, spotOf } from "./show.ts";

/** How many of 100 players call on an action, and how many of these call twice. */
const TAKE_PART_PERCENT = 85;
const TWICE_PERCENT = 10;

/** The buttons of the page, and how often each is used. */
const wagersCents = [100, 100, 100, 100, 500, 500, 1_000, 2_000];

/** A late tap is made in the last second before the close. */
const LATE_MS = 1_000;

/** Nobody taps earlier than this after the opening. */
const FIRST_TAP_MS = 500;

const otherOf = (side: Side): Side => (side === "true" ? "false" : "true");

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

/** A tap reaches the server: the call is placed or refused, as every player's. */
async function placeTap({ show, players, taps }: Play, tap: PlannedTap): Promise<void> {
  const userId = players[tap.player] ?? 0;
  const spotId = spotOf(show, show.eventIds[tap.event] ?? 0, tap.side);
  const call = { userId, spotId, wagerCents: tap.wagerCents, key: `tap-${taps.length + 1}` };
  const outcome = await outcomeOf(
    placeCall(show.deps, {
      viewer: { id: userId },
      spotId,
      wagerCents: call.wagerCents,
      idempotencyKey: call.key,
    }),
  );
  if (!outcome.done) {
    taps.push({ ...tap, answer: outcome.refusal.code, callId: null });
    return;
  }
  const { callId } = outcome.value;
  show.calls.push({ ...call, callId });
  taps.push({ ...tap, answer: "placed", callId });
}

/** What the crowd calls, and what will happen. */
type Expectation = { favourite: Side; outcome: Side };

/**
 * Draws what will happen on an event, and which side the crowd favours. The favourite wins as often as players call it: a crowd
 * with a skew of 80 is right four times out of five.
 */
function expectOutcome({ dice, options, plan }: Play, event: number): Expectation {
  const planned = plan.events[event]?.autoResult;
  const drawn: Side = dice.chance(0.5) ? "true" : "false";
  const outcome = planned === "true" || planned === "false" ? planned : drawn;
  const isRight = dice.chance(options.skew / 100);
  return { outcome, favourite: isRight ? outcome : otherOf(outcome) };
}

/** The taps of all players on an event that has just opened. */
function planTaps(
  play: Play,
  event: number,
  {
    favourite,
    opensAtMs,
    closesAtMs,
  }: Pick<Expectation, "favourite"> & { opensAtMs: number; closesAtMs: number },
): PlannedTap[] {
  const { dice, options, players } = play;
  return players.flatMap((_, player) => {
    if (!dice.chance(TAKE_PART_PERCENT / 100)) return [];
    const side = dice.chance(options.skew / 100) ? favourite : otherOf(favourite);
    const count = dice.chance(TWICE_PERCENT / 100) ? 2 : 1;
    return Array.from({ length: count }, (): PlannedTap => {
      const tappedAtMs = tapAt(play, { opensAtMs, closesAtMs });
      return {
        event,
        player,
        side,
        wagerCents: wagerOf(play, event),
        tappedAtMs,
        arrivedAtMs: tappedAtMs + latencyOf(play),
      };
    });
  });
}

function tapAt(
  { dice, options }: Play,
  { opensAtMs, closesAtMs }: { opensAtMs: number; closesAtMs: number },
) {
  const lateFromMs = Math.max(opensAtMs, closesAtMs - LATE_MS);
  if (dice.chance(options.lateTaps / 100)) return dice.between(lateFromMs, closesAtMs - 1);
  const fromMs = Math.min(opensAtMs + FIRST_TAP_MS, lateFromMs);
  return dice.between(fromMs, lateFromMs);
}

/** Between half and one and a half times the average. */
function latencyOf({ dice, options: { latencyMs } }: Play): number {
  return dice.between(Math.round(latencyMs / 2), Math.round((latencyMs * 3) / 2));
}

function wagerOf({ dice, plan }: Play, event: number): number {
  const { minWagerCents = 1, maxWagerCents = null } = plan.events[event] ?? {};
  const wagerCents = wagersCents[dice.between(0, wagersCents.length - 1)] ?? 100;
  return Math.max(minWagerCents, Math.min(wagerCents, maxWagerCents ?? wagerCents));
}
