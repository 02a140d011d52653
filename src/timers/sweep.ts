import { asc, sql } from "drizzle-orm";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import type { LockTimeout } from "#src/base/lock.ts";
import { Refusal } from "#src/base/refusal.ts";
import { sweepSettlements } from "#src/settlements/sweep-settlements.ts";
import { performTransition } from "./perform-transition.ts";

const SWEEP_EVERY_MS = 1_000;
const SWEPT_AT_ONCE_MAX = 1_000;
/** What is late by now goes on without a lock that a dead process may have left behind; its version lets it act once. */
const PATIENCE: LockTimeout = { waitMs: 200, whenOver: "work" };
const FAILURE_LOG_EVERY_MS = 10_000;

/**
 * Performs, once a second, the transitions that are more than 1 s late, and pays on what is not paid to everybody: whatever
 * has become of Redis, its jobs or the workers, an event closes within about 2 s of its time. Every process runs it.
 * @returns stop: ends it, after what it is doing now.
 */
export function startSweep(deps: Deps): { stop: () => Promise<void> } {
  const logTransition = failureLog(deps, "The sweep could not perform a due transition");
  const logPaying = failureLog(deps, "The sweep could not pay a settlement on");
  // Side by side: paying takes its time, and a close does not wait for it.
  const parts = [
    eachSecond(() => sweepOnce(deps, logTransition), logTransition),
    eachSecond(() => sweepSettlements(deps), logPaying),
  ];
  return {
    stop: async () => {
      await Promise.all(parts.map((part) => part.stop()));
    },
  };
}

/** Does some work again and again, each time a second after it was done. */
function eachSecond(
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

/** Says so at most every 10 s. */
function failureLog({ log }: Deps, text: string): (error: unknown) => void {
  let loggedAtMs = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - loggedAtMs < FAILURE_LOG_EVERY_MS) return;
    loggedAtMs = performance.now();
    log.error({ err: error }, text);
  };
}

/** Performs everything that is late by now. Rows that somebody is changing at this moment are left to them. */
export async function sweepOnce(deps: Deps, logFailure: (error: unknown) => void): Promise<void> {
  const late = await deps.pool.db
    .select({ eventId: events.id, transition: events.nextTransition, version: events.scheduleVersion })
    .from(events)
    .where(sql`${events.dueAt} < game_now() - interval '1 second'`)
    .orderBy(asc(events.dueAt))
    .limit(SWEPT_AT_ONCE_MAX)
    .for("no key update", { skipLocked: true });
  const perform = async ({ eventId, transition, version }: (typeof late)[number]) => {
    if (transition === null) return;
    await performTransition(deps, { eventId, transition, version }, PATIENCE).catch((error: unknown) => {
      // Somebody else is at it: exactly what was wanted.
      if (!(error instanceof Refusal && error.status === 409)) logFailure(error);
    });
  };
  // All at once: closes go together, and the others take turns.
  await Promise.all(late.map(perform));
}
