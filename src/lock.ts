import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import * as v from "valibot";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { Deps } from "./deps.ts";
import { conflict } from "./http/refusal.ts";

const LOCK_TTL_MS = 15_000;
const RENEW_EVERY_MS = 5_000;
const WAIT_MAX_MS = 1_500;
const RETRY_MIN_MS = 8;
const RETRY_JITTER_MS = 24;
/** A Redis that does not answer for this long counts as away. */
const ANSWER_WAIT_MS = 400;
const OUTAGE_LOG_EVERY_MS = 10_000;
const TOKEN_KEPT_S = 86_400;

type LockDeps = Pick<Deps, "redis" | "log">;
type Attempt = { state: "held"; fence: number } | { state: "busy" } | { state: "away" };
/**
 * How long to wait for a lock that somebody else holds, and what then: give up, or work without it. The sweep does the
 * latter: whoever died with the lock must not keep an event from closing until the lock runs out.
 */
export type Patience = { waitMs: number; whenOver: "give up" | "work" };
const PATIENCE: Patience = { waitMs: WAIT_MAX_MS, whenOver: "give up" };
type Outage = { count: number; loggedAtMs: number };

const outages = new WeakMap<Redis, Outage>();

/**
 * Runs `work` while holding the Redis lock of that key (`event:12`, `session:3`, `wallet:7`).
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
  patience: Patience = PATIENCE,
): Promise<Result> {
  try {
    return await workUnderLock(deps, key, work, patience);
  } catch (error) {
    if (!isStale(error)) throw error;
  }
  // The lock had run out before the work came to the database: once more, with a new one.
  try {
    return await workUnderLock(deps, key, work, patience);
  } catch (error) {
    throw isStale(error) ? busy() : error;
  }
}

/**
 * Runs `work` while holding the locks of those of these keys that nobody else holds; it waits for none.
 *
 * `work` gets the fencing tokens of the locks that are held, by key; null in place of a token while Redis is away.
 * @returns what `work` returns.
 */
export async function withLocks<Result>(
  deps: LockDeps,
  keys: readonly string[],
  work: (fences: ReadonlyMap<string, number | null>) => Promise<Result>,
): Promise<Result> {
  const owner = randomUUID();
  const fences = await tryLocks(deps.redis, keys, owner);
  if (fences === "away") {
    countOutage(deps);
    return work(new Map(keys.map((key) => [key, null])));
  }
  return whileRenewing(deps.redis, { keys: [...fences.keys()], owner }, () => work(fences));
}

async function workUnderLock<Result>(
  deps: LockDeps,
  key: string,
  work: (fence: number | null) => Promise<Result>,
  { waitMs, whenOver }: Patience,
): Promise<Result> {
  const owner = randomUUID();
  const attempt = await waitForLock(deps.redis, { key, owner, waitMs });
  if (attempt.state === "busy") {
    if (whenOver === "work") return work(null);
    throw busy();
  }
  if (attempt.state === "away") {
    countOutage(deps);
    return work(null);
  }
  const { fence } = attempt;
  return whileRenewing(deps.redis, { keys: [key], owner }, () => work(fence));
}

/** Keeps the locks until the work is done, and then gives them back. */
async function whileRenewing<Result>(
  redis: Redis,
  { keys, owner }: { keys: readonly string[]; owner: string },
  work: () => Promise<Result>,
): Promise<Result> {
  const renewal = setInterval(() => void answered(renew(redis, keys, owner)), RENEW_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(renewal);
    await answered(release(redis, keys, owner));
  }
}

const busy = () => conflict("Somebody else is changing this right now. Try again.");
const isStale = (error: unknown) => error instanceof LedgerRefusal && error.code === "stale_lock";

/** How often this process has worked without the lock because Redis was away. */
export function countLockOutages(redis: Redis): number {
  return outages.get(redis)?.count ?? 0;
}

async function waitForLock(
  redis: Redis,
  { key, owner, waitMs }: { key: string; owner: string; waitMs: number },
): Promise<Attempt> {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const attempt = await tryLock(redis, key, owner);
    if (attempt.state !== "busy" || performance.now() >= giveUpAt) return attempt;
    await Bun.sleep(RETRY_MIN_MS + Math.random() * RETRY_JITTER_MS);
  }
}

async function tryLock(redis: Redis, key: string, owner: string): Promise<Attempt> {
  const fences = await tryLocks(redis, [key], owner);
  if (fences === "away") return { state: "away" };
  const fence = fences.get(key);
  return fence === undefined ? { state: "busy" } : { state: "held", fence };
}

/** @returns the tokens of the locks that were given, by key. */
async function tryLocks(
  redis: Redis,
  keys: readonly string[],
  owner: string,
): Promise<Map<string, number> | "away"> {
  const pairs = keys.flatMap((key) => [lockKey(key), `${lockKey(key)}:fence`]);
  const reply = await answered(
    redis.eval(lockScript, pairs.length, ...pairs, owner, LOCK_TTL_MS, TOKEN_KEPT_S),
  );
  if (reply === "silent") {
    // What we asked for may still be granted once Redis wakes up: it is given back in the same order.
    void answered(release(redis, keys, owner));
    return "away";
  }
  const tokens = v.parse(lockReply, reply.value);
  return new Map(
    keys.flatMap((key, index) => {
      const token = tokens[index] ?? "";
      return token === "" ? [] : [[key, Number(token)] as const];
    }),
  );
}

/** The answer of Redis, or "silent" when it is away or does not answer in time. Never rejects. */
async function answered(command: Promise<unknown>): Promise<{ value: unknown } | "silent"> {
  const { promise: silence, resolve } = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => resolve("silent"), ANSWER_WAIT_MS);
  try {
    return await Promise.race([command.then((value) => ({ value })).catch(() => "silent" as const), silence]);
  } finally {
    clearTimeout(timer);
  }
}

const renew = (redis: Redis, keys: readonly string[], owner: string) =>
  redis.eval(renewScript, keys.length, ...keys.map(lockKey), owner, LOCK_TTL_MS);
const release = (redis: Redis, keys: readonly string[], owner: string) =>
  redis.eval(releaseScript, keys.length, ...keys.map(lockKey), owner);

const lockKey = (key: string) => `lock:{${key}}`;

function countOutage({ redis, log }: LockDeps): void {
  const outage = outages.get(redis) ?? { count: 0, loggedAtMs: Number.NEGATIVE_INFINITY };
  outage.count += 1;
  if (performance.now() - outage.loggedAtMs >= OUTAGE_LOG_EVERY_MS) {
    outage.loggedAtMs = performance.now();
    log.warn({ withoutLock: outage.count }, "Redis is away: working under the database's locks alone");
  }
  outages.set(redis, outage);
}

// Every lock comes with a token, made in the same step; an empty one says that somebody else holds the lock. A token keeps
// growing after Redis has lost its data, because it is never below the clock of Redis in microseconds. `%.0f` keeps all 16
// digits.
const lockScript = `
  local clock = redis.call('TIME')
  local tokens = {}
  for i = 1, #KEYS, 2 do
    local text = ''
    if redis.call('SET', KEYS[i], ARGV[1], 'NX', 'PX', ARGV[2]) then
      local token = math.max(tonumber(redis.call('GET', KEYS[i + 1]) or '0') + 1, clock[1] * 1000000 + clock[2])
      text = string.format('%.0f', token)
      redis.call('SET', KEYS[i + 1], text, 'EX', ARGV[3])
    end
    tokens[#tokens + 1] = text
  end
  return tokens`;
const lockReply = v.array(v.string());
const renewScript = `
  for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('PEXPIRE', key, ARGV[2]) end
  end`;
const releaseScript = `
  for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
  end`;
