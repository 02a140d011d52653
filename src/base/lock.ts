import { randomUUID } from "node:crypto";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { Deps } from "./deps.ts";
import { countLock } from "./lock-counts.ts";
import { announceWaiting, type LockSet, renewLocks, releaseLocks, tryLocks } from "./redis-locks.ts";
import { conflict } from "./refusal.ts";

const WAIT_MAX_MS = 1_500;
const RETRY_MIN_MS = 8;
const RETRY_JITTER_MS = 24;

type LockDeps = Pick<Deps, "redis" | "log">;
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
 * Runs `work` while holding the Redis lock of that key (`event:12`, `session:3`, `wallet:7`). A caller that needs several
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
  try {
    return await workUnderLock(deps, key, work, timeout);
  } catch (error) {
    if (!isStale(error)) throw error;
    countLock(deps, "stale");
  }
  // The lock expired before the work reached the database: try once more, with a new lock.
  try {
    return await workUnderLock(deps, key, work, timeout);
  } catch (error) {
    if (!isStale(error)) throw error;
    countLock(deps, "stale");
    throw busy();
  }
}

/**
 * Runs `work` while holding those locks of these keys that are free. It waits for none.
 * @param keys all of one kind.
 * @param work gets the fencing tokens of the locks that it holds, by key. While Redis is away it gets every key with null.
 * @returns what `work` returns.
 */
export async function withLocks<Result>(
  deps: LockDeps,
  keys: readonly string[],
  work: (fences: ReadonlyMap<string, number | null>) => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  const fences = await tryLocks(deps.redis, { keys, owner });
  if (fences === "away") {
    countLock(deps, "away");
    return work(new Map(keys.map((key) => [key, null])));
  }
  return whileHolding(deps, { keys: [...fences.keys()], owner }, () => work(fences));
}

async function workUnderLock<Result>(
  deps: LockDeps,
  key: string,
  work: (fence: number | null) => Promise<Result>,
  { waitMs, onTimeout }: LockTimeout,
): Promise<Result> {
  const locks = { keys: [key], owner: randomUUID() };
  const fence = await waitForLock(deps, locks, waitMs);
  if (fence === "away") {
    countLock(deps, "away");
    return work(null);
  }
  if (fence === "busy") {
    countLock(deps, "busy");
    if (onTimeout === "proceed") return work(null);
    throw busy();
  }
  return whileHolding(deps, locks, () => work(fence));
}

async function waitForLock(
  { redis }: LockDeps,
  locks: LockSet,
  waitMs: number,
): Promise<number | "busy" | "away"> {
  const timesOutAt = performance.now() + waitMs;
  for (;;) {
    const fences = await tryLocks(redis, locks);
    if (fences === "away") return "away";
    const [fence] = fences.values();
    if (fence !== undefined) return fence;
    if (performance.now() >= timesOutAt) return "busy";
    void announceWaiting(redis, locks);
    await Bun.sleep(RETRY_MIN_MS + Math.random() * RETRY_JITTER_MS);
  }
}

/** Renews the locks until the work is done, then releases them. */
async function whileHolding<Result>(
  deps: LockDeps,
  locks: LockSet,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const _ of locks.keys) countLock(deps, "given");
  const stopRenewing = renewLocks(deps.redis, locks);
  try {
    return await work();
  } finally {
    stopRenewing();
    await releaseLocks(deps.redis, locks);
  }
}

const busy = () => conflict("Somebody else is changing this right now. Try again.");
const isStale = (error: unknown) => error instanceof LedgerRefusal && error.code === "stale_lock";
