import { randomUUID } from "node:crypto";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { Deps } from "./deps.ts";
import { countLock } from "./lock-counts.ts";
import { type Held, keepLocks, releaseLocks, tryLocks } from "./redis-locks.ts";
import { conflict } from "./refusal.ts";

const WAIT_MAX_MS = 1_500;
const RETRY_MIN_MS = 8;
const RETRY_JITTER_MS = 24;

type LockDeps = Pick<Deps, "redis" | "log">;
/**
 * How long to wait for a lock that somebody else holds, and what then: give up, or work without it. The sweep does the
 * latter: whoever died with the lock must not keep an event from closing until the lock runs out.
 */
export type LockTimeout = { waitMs: number; whenOver: "give up" | "work" };
const PATIENCE: LockTimeout = { waitMs: WAIT_MAX_MS, whenOver: "give up" };
/** For what must not be refused because somebody else is at it, such as money that has come from outside. */
export const INSISTENCE: LockTimeout = { waitMs: WAIT_MAX_MS, whenOver: "work" };

/**
 * Runs `work` while holding the Redis lock of that key (`event:12`, `session:3`, `wallet:7`). Who needs several takes them in
 * this order: session, event, wallet, and never two wallets.
 *
 * `work` gets the lock's fencing token, which Postgres compares with the newest that it has seen; null while Redis is
 * away, and for the impatient: then the work goes on under Postgres's own locks, which are the judge in either case.
 * @returns what `work` returns.
 * @param patience for a lock that somebody else holds; 1.5 s and then giving up where it is left out.
 * @throws Refusal 409 conflict when somebody else keeps the lock for longer, or has taken it over twice.
 */
export async function withLock<Result>(
  deps: LockDeps,
  key: string,
  work: (fence: number | null) => Promise<Result>,
  patience: LockTimeout = PATIENCE,
): Promise<Result> {
  try {
    return await workUnderLock(deps, key, work, patience);
  } catch (error) {
    if (!isStale(error)) throw error;
    countLock(deps, "stale");
  }
  // The lock had run out before the work came to the database: once more, with a new one.
  try {
    return await workUnderLock(deps, key, work, patience);
  } catch (error) {
    if (!isStale(error)) throw error;
    countLock(deps, "stale");
    throw busy();
  }
}

/**
 * Runs `work` while holding the locks of those of these keys that nobody else holds; it waits for none.
 *
 * `work` gets the fencing tokens of the locks that are held, by key; null in place of a token while Redis is away.
 * @param keys all of one kind.
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
  { waitMs, whenOver }: LockTimeout,
): Promise<Result> {
  const asked = { keys: [key], owner: randomUUID() };
  const fence = await waitForLock(deps, asked, waitMs);
  if (fence === "away") {
    countLock(deps, "away");
    return work(null);
  }
  if (fence === "busy") {
    countLock(deps, "busy");
    if (whenOver === "work") return work(null);
    throw busy();
  }
  return whileHolding(deps, asked, () => work(fence));
}

async function waitForLock(
  { redis }: LockDeps,
  asked: Held,
  waitMs: number,
): Promise<number | "busy" | "away"> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const fences = await tryLocks(redis, asked);
    if (fences === "away") return "away";
    const [fence] = fences.values();
    if (fence !== undefined) return fence;
    if (performance.now() >= giveUpAt) return "busy";
    await Bun.sleep(RETRY_MIN_MS + Math.random() * RETRY_JITTER_MS);
  }
}

/** Keeps the locks until the work is done, and then gives them back. */
async function whileHolding<Result>(
  deps: LockDeps,
  held: Held,
  work: () => Promise<Result>,
): Promise<Result> {
  for (const _ of held.keys) countLock(deps, "given");
  const stopKeeping = keepLocks(deps.redis, held);
  try {
    return await work();
  } finally {
    stopKeeping();
    await releaseLocks(deps.redis, held);
  }
}

const busy = () => conflict("Somebody else is changing this right now. Try again.");
const isStale = (error: unknown) => error instanceof LedgerRefusal && error.code === "stale_lock";
