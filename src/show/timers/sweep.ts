import { and, asc, eq, gt, not, or, sql } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import { describeIdle, endWaitingStatements, findIdleTransactions } from "#db/idle-transactions.ts";
import { isUnpaid } from "#db/ledger/list-settlements.ts";
import { events } from "#db/schema/events.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import { chargebacks } from "#db/schema/payments.ts";
import type { Deps } from "#src/base/deps.ts";
import { transactionsEnded } from "#src/base/instruments.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import { logFailure } from "#src/base/log.ts";
import { Refusal } from "#src/base/refusal.ts";
import { notPaused, type RowKind, tryRows } from "#src/base/try-rows.ts";
import { sweepSettlements } from "#src/play/settlements/pay-settlement.ts";
import { clockText, setAlarms } from "#src/show/events/with-event.ts";
import { performTransition } from "./perform-transition.ts";

const SWEEP_EVERY_MS = 1_000;
const SWEPT_AT_ONCE_MAX = 1_000;
const REARMED_AT_ONCE_MAX = 1_000;
/**
 * A late transition proceeds without the lock, which a dead process may still hold. Its schedule version keeps it from running
 * twice.
 */
const LOCK_TIMEOUT: LockTimeout = { waitMs: 200, onTimeout: "proceed" };
/** What a pass has not done by then goes on beside the next one, so that an event that is held delays no other. */
const PASS_MAX_MS = 1_000;
const FAILURE_LOG_EVERY_MS = 10_000;

const { kind, rowId } = failingRows;
const ofKind = (name: RowKind) => eq(kind, name);

/**
 * Starts the sweep: once a second it performs the transitions that are more than 1 s late, continues unpaid settlements, and ends
 * transactions that idle. So an event closes within about 2 s of its time even without Redis, its jobs or the workers, and 5 s after the
 * process that held it has frozen. Every process runs it.
 * @returns stop: ends it after the current pass.
 */
export function startSweep(deps: Deps): { stop: () => Promise<void> } {
  const logTransition = failureLog(deps, "The sweep could not perform a due transition");
  const logPaying = failureLog(deps, "The sweep could not pay a settlement");
  let lastPass: Awaited<ReturnType<typeof sweepSettlements>> = new Map();
  const logLook = failureLog(deps, "The sweep could not look for idle transactions");
  const logForgetting = failureLog(deps, "The sweep could not forget what is done");
  // Concurrently: a close must not wait for a payment.
  const parts = [
    repeatEverySecond(() => Promise.race([sweepOnce(deps), Bun.sleep(PASS_MAX_MS)]), logTransition),
    repeatEverySecond(async () => {
      lastPass = await sweepSettlements(deps, { lastPass });
    }, logPaying),
    repeatEverySecond(() => endIdleTransactions(deps), logLook),
    repeatEverySecond(() => forgetDoneRows(deps), logForgetting),
  ];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Repeats some work, each time a second after it ended. */
function repeatEverySecond(
  work: () => Promise<void>,
  logFailure: (error: unknown) => void,
): { stop: () => Promise<void> } {
  let running = Promise.resolve();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let stopped = false;
  const again = () => {
    timer = setTimeout(() => {
      running = work()
        .catch(logFailure)
        .then(() => (stopped ? undefined : again()));
    }, SWEEP_EVERY_MS);
  };
  again();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Logs a failure, at most once in 10 s. */
function failureLog({ log }: Deps, text: string): (error: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAtMs < FAILURE_LOG_EVERY_MS) return;
    loggedAtMs = performance.now();
    logFailure(log, error, text);
  };
}

const sweptByPool = new WeakMap<DatabasePool, Set<number>>();

/**
 * Performs the late transitions. Skips rows that another transaction has locked, and those that have to wait after a failure.
 * @param onFailure gets the error of each that fails.
 */
export async function sweepOnce(deps: Deps, onFailure?: (error: unknown) => void): Promise<void> {
  const late = await deps.pool.db
    .select({ eventId: events.id, transition: events.nextTransition, version: events.scheduleVersion })
    .from(events)
    .where(and(sql`${events.dueAt} < game_now() - interval '1 second'`, notPaused("due_event", events.id)))
    .orderBy(asc(events.dueAt))
    .limit(SWEPT_AT_ONCE_MAX)
    .for("no key update", { skipLocked: true });
  const swept = sweptByPool.get(deps.pool) ?? new Set<number>();
  sweptByPool.set(deps.pool, swept);
  const left = late.filter(({ eventId }) => !swept.has(eventId));
  for (const { eventId } of left) swept.add(eventId);
  const perform = async ({ eventId, transition, version }: (typeof late)[number]) => {
    if (transition === null) return;
    await performTransition(deps, { eventId, transition, version }, LOCK_TIMEOUT).catch((error: unknown) => {
      // Another process is performing it.
      if (!(error instanceof Refusal && error.status === 409)) throw error;
    });
  };
  // All at once: those of each kind are batched.
  await tryRows(deps, left, async (row) => perform(row).finally(() => swept.delete(row.eventId)), {
    kind: "due_event",
    idOf: ({ eventId }) => eventId,
    together: true,
    onFailure,
  });
}

/**
 * Sets the alarms of the next due transitions again, because Redis may have lost some. An alarm that still exists does not
 * change. What is late already is left to the sweep, which tries it each second.
 */
export async function rearmAlarms(deps: Pick<Deps, "pool" | "queues" | "log">): Promise<void> {
  const scheduled = await deps.pool.db
    .select({
      id: events.id,
      nextTransition: events.nextTransition,
      dueAt: events.dueAt,
      scheduleVersion: events.scheduleVersion,
      at: clockText,
    })
    .from(events)
    .where(gt(events.dueAt, sql`game_now()`))
    .orderBy(asc(events.dueAt))
    .limit(REARMED_AT_ONCE_MAX);
  const [first] = scheduled;
  if (first !== undefined) setAlarms(deps, scheduled, first.at);
}

/**
 * Forgets that the work for rows has failed which something else than the sweep has done since: a job, a host, a message of the payment
 * provider. No sweep finds these rows again. The table is nearly always empty.
 */
export async function forgetDoneRows({ pool }: Pick<Deps, "pool">): Promise<void> {
  const isDue = sql`EXISTS (SELECT FROM ${events} WHERE ${events.id} = ${rowId} AND ${events.dueAt} < game_now())`;
  const isAsked = sql`EXISTS (SELECT FROM ${chargebacks} WHERE ${chargebacks.id} = ${rowId} AND ${chargebacks.state} = 'asked')`;
  await pool.db
    .delete(failingRows)
    .where(
      or(
        and(ofKind("due_event"), not(isDue)),
        and(ofKind("settlement"), not(isUnpaid(rowId))),
        and(ofKind("refund"), not(isAsked)),
      ),
    );
}

/**
 * Ends the transactions of web processes and workers that idle with locks for longer than the server's own limit, and before that
 * what the same processes have waiting for locks.
 */
export async function endIdleTransactions({ pool, log }: Pick<Deps, "pool" | "log">): Promise<void> {
  const lost = (await findIdleTransactions(pool.db)).filter(({ isLost }) => isLost);
  // What waits is ended first: it would get the lock of a transaction that is ended before it.
  for (const idle of lost) await endWaitingStatements(pool.db, idle);
  if (lost.length === 0) return;
  for (const idle of await findIdleTransactions(pool.db, { end: true })) {
    if (!idle.ended) continue;
    transactionsEnded.inc();
    log.error(`${describeIdle(idle)}. It is ended: Postgres has no limit for it, see deploy/postgres.md`);
  }
}
