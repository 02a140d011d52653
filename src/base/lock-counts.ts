import type { Redis } from "ioredis";
import type { Logger } from "pino";

const LOG_EVERY_MS = 10_000;

/** What has become of locks in this process since it started. */
export type LockCounts = {
  given: number;
  /** Somebody else kept it for too long. */
  busy: number;
  /** It had run out and somebody else was given it before the work came to the database. */
  stale: number;
  /** Worked without, because Redis was away. */
  away: number;
};

const counts = new WeakMap<Redis, LockCounts>();
const loggedAtMs = new WeakMap<Redis, number>();

/** How the locks behind this connection have fared. */
export function lockCounts(redis: Redis): Readonly<LockCounts> {
  return countsOf(redis);
}

/** Counts one more. That there are none for want of Redis is logged as well, once in ten seconds. */
export function countLock({ redis, log }: { redis: Redis; log: Logger }, what: keyof LockCounts): void {
  const known = countsOf(redis);
  known[what] += 1;
  if (what !== "away") return;
  const now = performance.now();
  if (now - (loggedAtMs.get(redis) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
  loggedAtMs.set(redis, now);
  log.warn({ withoutLock: known.away }, "Redis is away: working under the database's locks alone");
}

function countsOf(redis: Redis): LockCounts {
  const known = counts.get(redis) ?? { given: 0, busy: 0, stale: 0, away: 0 };
  counts.set(redis, known);
  return known;
}
