import { randomUUID } from "node:crypto";
import type { Logger } from "pino";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { drawLockTokens } from "#db/ledger/locks.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { createBatcher } from "./batcher.ts";
import type { Deps } from "./deps.ts";
import { announceWaiting, type LockSet, releaseLocks, renewLocks, tryLocks } from "./redis-locks.ts";
import type { RedisClient } from "./redis.ts";
import { conflict } from "./refusal.ts";

const WAIT_MAX_MS = 1_500;
const RETRY_MIN_MS = 8;
const RETRY_JITTER_MS = 24;

/** How many locks get their tokens by one statement. */
const TOKENS_AT_ONCE = 256;
/** A statement that waits for the database does not hold up the next one. */
const SLOW_MS = 50;

type LockDeps = Pick<Deps, "pool" | "redis" | "log">;
/**
 * How long to wait for a lock that is held elsewhere, and what to do after that: refuse, or proceed without the lock. The
 * sweep proceeds, because a process that died while holding a lock must not delay the close of an event until the lock
 * expires. A caller that waits announces itself, so that a holder with much work can let it go first (isAwaited).
 */
export type LockTimeout = { waitMs: number; onTimeout: "refuse" | "proceed" };
const REFUSE_ON_TIMEOUT: LockTimeout = { waitMs: WAIT_MAX_MS, onTimeout: "refuse" };
/** For work that a busy lock must not refuse, such as money that came from outside. */
export const PROCEED_ON_TIMEOUT: LockTimeout = { waitMs: WAIT_MAX_MS, onTimeout: "proceed" };

/**
 * Runs `work` while holding the Redis lock of that key (`event:12`, `session:3`, `wallet:7`, of the user). A caller that needs several
 * locks takes them in this order: session, event, wallet. It never takes two wallets.
 *
 * The Redis lock only avoids contention. Postgres's own locks decide in every case.
 * @param work gets the lock's fencing token, which Postgres compares with the newest one it has seen. The token is null
 *   when the work runs without the lock: while Redis is away, or after a timeout with "proceed".
 * @param timeout for a lock that is held elsewhere; by default 1.5 s, then refuse.
 * @returns what `work` returns.
 * @throws Refusal 409 conflict when the wait times out, or when the lock expired during the work and was taken over, twice.
 */
export async function withLock<Result>(
  deps: LockDeps,
  key: string,
  work: (fence: number | null) => Promise<Result>,
  timeout: LockTimeout = REFUSE_ON_TIMEOUT,
): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await workUnderLock(deps, key, work, timeout);
    } catch (error) {
      if (!isStale(error)) throw error;
      countLock(deps, "stale");
      // The lock expired before the work reached the database: it is tried once more, with a new lock.
      if (attempt === 2) throw busy();
    }
  }
}

/**
 * Runs `work` while holding those locks of these keys that are free. It waits for none.
 * @param keys all of one kind.
 * @param work gets the fencing tokens of the locks that it holds, by key. While Redis is away it gets every key with null.
 * @param options drawn: false for a statement that draws the tokens itself, which saves a trip: then all are null.
 * @returns what `work` returns.
 */
export async function withLocks<Result>(
  deps: LockDeps,
  keys: readonly string[],
  work: (fences: ReadonlyMap<string, number | null>) => Promise<Result>,
  { drawn = true } = {},
): Promise<Result> {
  const owner = randomUUID();
  const taken = await tryLocks(deps.redis, { keys, owner });
  if (taken === "away") {
    countLock(deps, "away");
    return work(new Map(keys.map((key) => [key, null])));
  }
  return whileHolding(deps, { keys: taken, owner }, { work, drawn });
}

async function workUnderLock<Result>(
  deps: LockDeps,
  key: string,
  work: (fence: number | null) => Promise<Result>,
  { waitMs, onTimeout }: LockTimeout,
): Promise<Result> {
  const locks = { keys: [key], owner: randomUUID() };
  const held = await waitForLock(deps, locks, waitMs);
  if (held === "away") {
    countLock(deps, "away");
    return work(null);
  }
  if (held === "busy") {
    countLock(deps, "busy");
    if (onTimeout === "proceed") return work(null);
    throw busy();
  }
  return whileHolding(deps, locks, { work: (fences) => work(fences.get(key) ?? null), drawn: true });
}

async function waitForLock(
  { redis }: LockDeps,
  locks: LockSet,
  waitMs: number,
): Promise<"held" | "busy" | "away"> {
  const timesOutAt = performance.now() + waitMs;
  for (;;) {
    const taken = await tryLocks(redis, locks);
    if (taken === "away") return "away";
    if (taken.length > 0) return "held";
    if (performance.now() >= timesOutAt) return "busy";
    void announceWaiting(redis, locks);
    await Bun.sleep(RETRY_MIN_MS + Math.random() * RETRY_JITTER_MS);
  }
}

/** Draws the tokens of these locks, renews the locks until the work is done, then releases them. */
async function whileHolding<Result>(
  deps: LockDeps,
  locks: LockSet,
  { work, drawn }: { work: (fences: ReadonlyMap<string, number | null>) => Promise<Result>; drawn: boolean },
): Promise<Result> {
  for (const _ of locks.keys) countLock(deps, "given");
  const stopRenewing = renewLocks(deps.redis, locks);
  try {
    const draw = async (key: string) => [key, drawn ? await drawToken(deps.pool, key) : null] as const;
    return await work(new Map(await Promise.all(locks.keys.map(draw))));
  } finally {
    stopRenewing();
    await releaseLocks(deps.redis, locks);
  }
}

const lock = v.object({
  kind: v.picklist(["event", "session", "wallet"]),
  id: v.pipe(v.string(), v.transform(Number)),
});

/** Tokens of the same moment are drawn together. */
const drawToken = createBatcher(
  TOKENS_AT_ONCE,
  (pool: DatabasePool, keys: readonly string[]) => {
    const locks = keys.map((key) => v.parse(lock, /^(?<kind>\w+):(?<id>\d+)$/.exec(key)?.groups));
    return drawLockTokens(pool.db, locks);
  },
  { collects: true, slowMs: SLOW_MS },
);

const busy = () => conflict("Somebody else is changing this right now. Try again.");
const isStale = (error: unknown) => error instanceof LedgerRefusal && error.code === "stale_lock";

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

export function lockCounts(redis: RedisClient): Readonly<LockCounts> {
  return countsOf(redis);
}

/** Counts one outcome. "away" is also logged, at most once in ten seconds. */
function countLock({ redis, log }: { redis: RedisClient; log: Logger }, outcome: keyof LockCounts): void {
  const known = countsOf(redis);
  known[outcome] += 1;
  if (outcome !== "away") return;
  const now = performance.now();
  if (now - (loggedAtMs.get(redis) ?? Number.NEGATIVE_INFINITY) < LOG_EVERY_MS) return;
  loggedAtMs.set(redis, now);
  log.warn({ withoutLock: known.away }, "Redis gives no locks; the locks of the database decide alone");
}

function countsOf(redis: RedisClient): LockCounts {
  const known = counts.get(redis) ?? { given: 0, busy: 0, stale: 0, away: 0 };
  counts.set(redis, known);
  return known;
}
