import type { Logger } from "pino";
import type { RedisClient } from "./redis.ts";

const LOG_EVERY_MS = 10_000;

/** The outcomes of lock requests in this process since it started. */
type LockCounts = {
  given: number;
  /** The wait timed out. */
  busy: number;
  /** The lock expired and was taken over before the work reached the database. */
  stale: number;
  /** The work ran without a lock, because Redis was away. */
  away: number;
};

const counts = new WeakMap<RedisClient, LockCounts>();
const loggedAtMs = new WeakMap<RedisClient, number>();

/** The outcomes of the locks requested through this connection. */
export function lockCounts(redis: RedisClient): Readonly<LockCounts> {
  return countsOf(redis);
}

/** Counts one outcome. "away" is also logged, at most once in ten seconds. */
export function countLock(
  { redis, log }: { redis: RedisClient; log: Logger },
  outcome: keyof LockCounts,
): void {
  const known = countsOf(redis);
  known[outcome] += 1;
  if (outcome !== "away") return;
  const now = performance.now();
  if (now - (loggedAtMs.get(redis) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
  loggedAtMs.set(redis, now);
  log.warn({ withoutLock: known.away }, "Redis is away; relying on database locks only");
}

function countsOf(redis: RedisClient): LockCounts {
  const known = counts.get(redis) ?? { given: 0, busy: 0, stale: 0, away: 0 };
  counts.set(redis, known);
  return known;
}
