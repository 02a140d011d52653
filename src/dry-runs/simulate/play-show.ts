import { sql } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import type { EventState } from "#db/lists/events.ts";
import type { Side } from "#db/lists/spots.ts";
import { events } from "#db/schema/events.ts";
import { Refusal } from "#src/base/refusal.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { HOST_DECIDES_SECONDS } from "#src/show/events/pace/contract.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { sweepOnce } from "#src/show/timers/sweep.ts";
import type { TimelineKind } from "../contract.ts";
import { type PlannedTap, type Play, START_MS } from "./play.ts";
import { type EventSnapshot, nameOf, readSnapshots, type Show, spotOf } from "./show.ts";

/** The host starts an event that waits for nobody else, and ends the session, after this time. */
const HOST_WAITS_MS = 5_000;
const HOUR_MS = 3_600_000;
/** A plan that takes longer on the virtual clock is not played to its end. */
const SHOW_MAX_MS = 48 * HOUR_MS;

const SWEEP_EVERY_MS = 1_000;
const LATE_AFTER_MS = 1_000;

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
const momentOf: Partial<Record<EventState, "visibleAtMs" | "openedAtMs" | "closedAtMs" | "resolvedAtMs">> = {
  visible: "visibleAtMs",
  open: "openedAtMs",
  closed: "closedAtMs",
  resolved: "resolvedAtMs",
};

/** The states that an event usually passes, in their order. */
const course: readonly EventState[] = ["draft", "visible", "open", "closed", "resolved"];

/** Plays the show from its start to its end. It can be played once. */
export async function playShow(play: Play): Promise<void> {
  const { show, sessionId, host } = play;
  const follow = createFollower(play);
  await startSession(show.deps, { sessionId, actor: host });
  addToTimeline(play, "session_started", null);
  await follow();
  while (await step(play)) {
    await follow();
    await pulse(play);
  }
  await show.clock.setMs(show.clock.nowMs() + HOST_WAITS_MS);
  await stopSession(show.deps, { sessionId, actor: host });
  await follow();
  addToTimeline(play, "session_stopped", null);
}

/** Does what comes next, up to the next change of an event. @returns false at the end of the show. */
async function step(play: Play): Promise<boolean> {
  const { show, agenda } = play;
  for (;;) {
    const actionMs = agenda.nextMs() ?? Number.POSITIVE_INFINITY;
    const alarmMs = show.queue.nextMs() ?? Number.POSITIVE_INFINITY;
    if (Math.min(actionMs, alarmMs) - START_MS > SHOW_MAX_MS) return startNext(play);
    // At the same moment the clock comes first: a tap at the close is late anyway.
    if (alarmMs <= actionMs) {
      await runUntil(show, alarmMs);
      return true;
    }
    const before = play.taps.length;
    if (actionMs > show.clock.nowMs()) await show.clock.setMs(actionMs);
    await agenda.takeNext()?.act();
    // Taps change no event's state.
    if (play.taps.length === before) return true;
    await pulse(play);
  }
}

/** The host starts the first event that has not opened and has no time. @returns false if there is none. */
async function startNext({ show, host }: Play): Promise<boolean> {
  const waiting = (await readSnapshots(show)).find(
    ({ event: { state, dueAt } }) => (state === "draft" || state === "visible") && dueAt === null,
  );
  if (waiting === undefined) return false;
  await show.clock.setMs(show.clock.nowMs() + HOST_WAITS_MS);
  const outcome = await outcomeOf(advanceEvent(show.deps, { eventId: waiting.event.id, actor: host }));
  return outcome.done;
}

function pulse({ records, show, pulse: beat }: Play): Promise<void> {
  return beat({
    eventsDone: records.filter(({ resolvedAtMs }) => resolvedAtMs !== null).length,
    callsCount: show.calls.length,
  });
}

/**
 * Lets time pass until a moment: the queue delivers its alarms, and the sweep runs once a second for late transitions. Sweeps
 * that would find nothing are skipped.
 */
export async function runUntil(show: Show, untilMs: number): Promise<void> {
  const { clock, queue } = show;
  for (;;) {
    const alarmMs = queue.nextMs() ?? Number.POSITIVE_INFINITY;
    const sweepMs = await nextSweepMs(show);
    const nextMs = Math.max(clock.nowMs(), Math.min(alarmMs, sweepMs));
    if (nextMs > untilMs) break;
    await clock.setMs(nextMs);
    if (alarmMs <= sweepMs) await deliverAlarm(show);
    else await sweep(show);
  }
  if (untilMs > clock.nowMs()) await clock.setMs(untilMs);
}

async function deliverAlarm(show: Show): Promise<void> {
  const next = show.queue.takeNext();
  if (next === null) return;
  const { alarm } = next;
  const earlyMs = await performTransition(show.deps, alarm);
  const name = nameOf(show, alarm.eventId);
  show.note(`alarm: ${alarm.transition} ${name} v${alarm.version}, early by ${earlyMs}`);
  if (earlyMs > 0) show.queue.reschedule(alarm, earlyMs);
}

/** The moment of the first sweep that finds a late transition. */
async function nextSweepMs({ deps, clock, sweepPhaseMs }: Show): Promise<number> {
  const [row] = await deps.pool.db
    .select({ dueMs: sql<number | null>`(extract(epoch FROM min(${events.dueAt})) * 1000)::float8` })
    .from(events)
    .where(sql`${events.dueAt} IS NOT NULL`);
  if (row?.dueMs == null) return Number.POSITIVE_INFINITY;
  const lateMs = Math.max(Math.floor(row.dueMs) + LATE_AFTER_MS + 1, clock.nowMs());
  return Math.ceil((lateMs - sweepPhaseMs) / SWEEP_EVERY_MS) * SWEEP_EVERY_MS + sweepPhaseMs;
}

/** Runs a sweep and checks that none of the transitions that were late before is left. */
async function sweep(show: Show): Promise<void> {
  const before = await listLate(show);
  await sweepOnce(show.deps, (error) => {
    throw new Error("the sweep failed", { cause: error });
  });
  const after = new Set(await listLate(show));
  const left = before.filter((late) => after.has(late));
  show.note(`sweep: ${before.length} late`);
  if (left.length > 0) throw new Error(`the sweep did not perform: ${left.join(", ")}`);
}

async function listLate({ deps }: Show): Promise<string[]> {
  const rows = await deps.pool.db
    .select({ id: events.id, what: events.nextTransition, version: events.scheduleVersion })
    .from(events)
    .where(sql`${events.dueAt} < game_now() - interval '1 second'`);
  return rows.map(({ id, what, version }) => `${what} of row ${id} v${version}`);
}

/**
 * Follows the show after a step: writes down what has changed, and lets the people react. The players of an event that has
 * opened plan their taps; the host of one that has closed is going to decide it.
 */
function createFollower(play: Play): () => Promise<void> {
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
function addToTimeline({ show, timeline }: Play, what: TimelineKind, event: number | null): void {
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

/** Pays all that was decided to the end, as the jobs of a worker do. @returns the events that were paid. */
export async function payDecided({ deps, eventIds }: Pick<Show, "deps" | "eventIds">): Promise<number[]> {
  const unpaid = await listUnpaidSettlements(deps.pool.db, eventIds);
  for (const { eventId } of unpaid) {
    const progress = await paySettlement(deps, eventId, { budgetMs: Number.POSITIVE_INFINITY });
    if (progress !== "paid") throw new Error(`the settlement of event ${eventId} is ${progress}`);
  }
  return unpaid.map(({ eventId }) => eventId);
}

/** How an action ended: done or refused. `text` describes it in a line without row ids. */
type Outcome<Value> =
  | { done: true; value: Value; text: string }
  | { done: false; refusal: Refusal; text: string };

/** Turns a refusal into an outcome. Any other error is a bug and is thrown again. */
export async function outcomeOf<Value>(result: Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { done: true, value: await result, text: "done" };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { done: false, refusal: error, text: `${error.status} ${error.code}, ${error.message}` };
  }
}
