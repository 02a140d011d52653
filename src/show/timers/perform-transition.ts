import { createHmac } from "node:crypto";
import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { countCalls } from "#db/ledger/large-settlement.ts";
import { anyOf } from "#db/ledger/query.ts";
import type { EventResult } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import type { Alarm } from "#src/base/queues.ts";
import { cannotTransitionWhen } from "#src/base/refusal.ts";
import { startPaying } from "#src/play/settlements/pay-settlement.ts";
import { closeTogether } from "#src/show/events/close-event.ts";
import { eventStateLabel } from "#src/show/events/contract.ts";
import { openTogether, publishTogether } from "#src/show/events/open-event.ts";
import { type DecidedEvent, settleResults } from "#src/show/events/resolve-event.ts";
import {
  createBatchedVerb,
  type EventCommand,
  type EventRow,
  type LockedEvent,
} from "#src/show/events/with-event.ts";

const UNRESOLVED_REASON = "Nobody resolved it in time.";
const UNCALLED_REASON = "Nobody called it.";

const resolveTogether = createBatchedVerb({
  transition: "resolve",
  change: resolveLockedEvents,
  fits: isClosed,
});

/** An alarm that is early by at most this waits here; an earlier one is set again. */
const EARLY_WAIT_MAX_MS = 50;
/** What another process performs is usually done by then. */
const LOOK_AGAIN_AFTER_MS = 20;
/** The most schedules that one query reads. */
const BATCH_SIZE_MAX = 256;

type Verb = (deps: Deps, command: EventCommand, how: { alone: boolean }) => Promise<EventRow | null>;

/** Those that are due together share a transaction, of each kind. */
const verbs: Record<Alarm["transition"], Verb> = {
  publish_event: publishTogether,
  open_event: openTogether,
  close_event: closeTogether,
  resolve: resolveDue,
};

/**
 * Performs the transition of an alarm, or one that the sweep found, with the same effects as an admin's request. An alarm of an
 * older schedule version changes nothing, and neither does a second delivery.
 * @param lockTimeout how long to wait for the event's lock.
 * @returns by how many milliseconds the alarm was early; 0 if nothing is left to do.
 */
export async function performTransition(
  deps: Deps,
  alarm: Alarm,
  lockTimeout?: LockTimeout,
): Promise<number> {
  const performNow = (how: { alone: boolean }) => perform(deps, { ...alarm, lockTimeout }, how);
  // Nearly all are due, and nothing else is at their events: so the schedule is looked at only if this does nothing.
  if ((await performNow({ alone: false })) !== null) return 0;
  const earlyMs = await findEarlyMs(deps, alarm);
  if (earlyMs === null) return 0;
  if (earlyMs > EARLY_WAIT_MAX_MS) return Math.ceil(earlyMs);
  if (earlyMs > 0) {
    // Not before the due time: until then the clock accepts calls.
    await Bun.sleep(Math.ceil(earlyMs) + 1);
    if ((await performNow({ alone: false })) !== null) return 0;
  }
  // Another process may be performing it.
  await Bun.sleep(LOOK_AGAIN_AFTER_MS);
  const leftMs = await findEarlyMs(deps, alarm);
  if (leftMs === null) return 0;
  if (leftMs > 0) return Math.ceil(leftMs);
  await performNow({ alone: true });
  return 0;
}

function perform(
  deps: Deps,
  { transition, ...scheduled }: Alarm & Pick<EventCommand, "lockTimeout">,
  how: { alone: boolean },
): Promise<EventRow | null> {
  return verbs[transition](deps, { ...scheduled, actor: null }, how);
}

/**
 * By how many milliseconds an alarm is early; 0 or less: it is due. Null if nothing is to be done: the schedule has changed, or the session is
 * paused.
 */
async function findEarlyMs(deps: Deps, { eventId, transition, version }: Alarm): Promise<number | null> {
  const schedule = await findSchedule(deps, eventId);
  const isCurrent = schedule?.scheduleVersion === version && schedule.nextTransition === transition;
  return isCurrent ? schedule.earlyMs : null;
}

const findSchedule = createBatcher(BATCH_SIZE_MAX, findSchedules, { collects: true });

async function findSchedules({ pool }: Deps, eventIds: readonly number[]) {
  const rows = await pool.db
    .select({
      id: events.id,
      nextTransition: events.nextTransition,
      scheduleVersion: events.scheduleVersion,
      /** Null while the session is paused: then nothing is due. */
      earlyMs: sql<number | null>`(extract(epoch FROM ${events.dueAt} - game_now()) * 1000)::float8`,
    })
    .from(events)
    .where(anyOf(events.id, eventIds));
  const byId = new Map(rows.map((row) => [row.id, row]));
  return eventIds.map((id) => byId.get(id) ?? null);
}

/**
 * Gives a closed event the result that is due: the pending result after the settlement delay, or else the planned one, or else void.
 * Concurrent results of timers share a transaction. A worker pays the calls afterwards.
 * @param how `alone: false`: does nothing where the event would have to be resolved alone, and returns null.
 */
export async function resolveDue(
  deps: Deps,
  command: EventCommand,
  how: { alone: boolean } = { alone: true },
): Promise<EventRow | null> {
  const resolved = await resolveTogether(deps, command, how);
  if (resolved !== null) startPaying(deps, resolved);
  return resolved;
}

/** Settles events together. Of many, large settlements are left out. */
async function resolveLockedEvents(
  tx: Transaction,
  locked: readonly LockedEvent[],
  { env }: Deps,
): Promise<EventRow[]> {
  for (const each of locked)
    if (!isClosed(each)) throw cannotTransitionWhen(eventStateLabel(each.event.state));
  const counts = await countCalls(
    tx,
    locked.map(({ event }) => event.id),
  );
  const together = locked.length === 1 ? locked : locked.filter(({ event }) => !counts.isLarge(event.id));
  return settleResults(
    tx,
    together.map((each) =>
      decide(each, { secret: env.secretKey, isUncalled: counts.isUncalled(each.event.id) }),
    ),
  );
}

/** The ledger's actor of a pending result is the admin who decided it. */
function decide(
  locked: LockedEvent,
  { secret, isUncalled }: { secret: string; isUncalled: boolean },
): DecidedEvent {
  const { event } = locked;
  const voidReason = isUncalled ? UNCALLED_REASON : UNRESOLVED_REASON;
  const { pendingResult, pendingReason, decidedById, effectiveAt } = event;
  if (pendingResult !== null) {
    const actor = decidedById === null ? null : { id: decidedById };
    return {
      locked: { ...locked, actor },
      decision: { result: pendingResult, effectiveAt, reason: pendingReason },
    };
  }
  const reason = event.autoResult === null ? voidReason : null;
  return { locked, decision: { result: autoResult(event, secret), effectiveAt: null, reason } };
}

/**
 * The result of an event that resolves itself. A random result depends only on the event, its round and the installation's
 * secret: a timer that runs twice decides the same, and nobody can predict it.
 * @returns "void" for an event without a planned result, which nobody has resolved in time: everybody is refunded.
 */
function autoResult({ id, round, autoResult: planned }: EventRow, secret: string): EventResult {
  if (planned === null) return "void";
  if (planned !== "random") return planned;
  const [byte = 0] = createHmac("sha256", secret).update(`auto-result ${id} ${round}`).digest();
  return byte % 2 === 0 ? "true" : "false";
}

function isClosed({ event }: LockedEvent): boolean {
  return event.state === "closed";
}
