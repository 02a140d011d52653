import * as v from "valibot";
import { bySlot, lockKey } from "./redis-keys.ts";
import { type RedisScript, redisScript, runScript } from "./redis-script.ts";
import type { RedisClient } from "./redis.ts";
import { serverNow } from "./server-clock.ts";
import { within } from "./within.ts";

// Decision: Redis says who holds a lock, and nothing more. The tokens that tell an older holder from a newer one are Postgres's
// (db/ledger/locks.ts), so a Redis that was emptied, or whose clock is wrong, refuses nobody.

/**
 * How long a lock lasts without a renewal: as long as Postgres leaves a silent transaction its locks, so a host waits no longer for a
 * frozen process.
 */
export const LOCK_TTL_MS = 4_000;
/** Often enough that one renewal may fail. */
const RENEWALS_PER_TTL = 3;
/** After this long without a reply, Redis counts as away. */
const REPLY_TIMEOUT_MS = 400;

/** Locks of one kind, and the id of the owner that holds or requests them. */
export type LockSet = { keys: readonly string[]; owner: string };

/**
 * Tries once to take each of these locks.
 * @returns the keys of those that were taken; "away" if Redis does not reply.
 */
export async function tryLocks(redis: RedisClient, locks: LockSet): Promise<string[] | "away"> {
  const { keys, owner } = locks;
  const args = [owner, LOCK_TTL_MS, serverNow().getTime()];
  const reply = await replyWithin(
    bySlot(redis, { items: keys, keyOf: lockKey }, async (some) =>
      v.parse(lockReply, await runScript(redis, lockScript, some.map(lockKey), args)),
    ),
  );
  if (reply === "silent") {
    // Redis may still run the request later. The release is queued behind it on the same connection.
    void releaseLocks(redis, locks);
    return "away";
  }
  return keys.filter((_, index) => reply.value[index] === 1);
}

/** Renews these locks periodically while they belong to this owner. @returns a function that stops it. */
export function renewLocks(redis: RedisClient, { keys, owner }: LockSet): () => void {
  const renew = () => {
    const args = [owner, LOCK_TTL_MS, serverNow().getTime()];
    void replyWithin(runOnLocks(redis, renewScript, keys, args));
  };
  const renewal = setInterval(renew, LOCK_TTL_MS / RENEWALS_PER_TTL);
  return () => clearInterval(renewal);
}

/** Releases those of these locks that still belong to this owner. Never rejects. */
export async function releaseLocks(redis: RedisClient, { keys, owner }: LockSet): Promise<void> {
  await replyWithin(runOnLocks(redis, releaseScript, keys, [owner]));
}

async function runOnLocks(
  redis: RedisClient,
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<void> {
  await bySlot(redis, { items: keys, keyOf: lockKey }, async (some) => {
    await runScript(redis, script, some.map(lockKey), args);
    return [];
  });
}

/** How long a caller that waits for a lock counts as waiting: longer than it pauses between two attempts. */
const AWAITED_MS = 100;

/** Marks these locks as awaited, for their holder. Never rejects. */
export async function announceWaiting(redis: RedisClient, { keys, owner }: LockSet): Promise<void> {
  const marks = keys.map((key) => redis.set(awaitedKey(key), owner, "PX", AWAITED_MS));
  await replyWithin(Promise.all(marks));
}

/** True if another caller has waited for this lock within the last 100 ms. False while Redis is away. */
export async function isAwaited(redis: RedisClient, key: string): Promise<boolean> {
  const reply = await replyWithin(redis.pttl(awaitedKey(key)));
  return reply !== "silent" && reply.value >= 0 && reply.value <= AWAITED_MS;
}

/** The reply of Redis; "silent" if it is away or does not reply in time. Never rejects. */
function replyWithin<Reply>(command: Promise<Reply>): Promise<{ value: Reply } | "silent"> {
  const silent = () => Promise.resolve("silent" as const);
  return within(REPLY_TIMEOUT_MS, command.then((value) => ({ value })).catch(silent), silent);
}

const awaitedKey = (key: string) => `${lockKey(key)}:awaited`;

// A lock has its owner and since when it is held, by the clock of Postgres: after that of Redis was set back, the lock of a dead holder
// would last for as long as the difference.
const lockScript = redisScript(`
  local taken = {}
  for index, key in ipairs(KEYS) do
    local since = tonumber(string.match(redis.call('GET', key) or '', ' (%d+)$'))
    if since and since + ARGV[2] < tonumber(ARGV[3]) then redis.call('DEL', key) end
    taken[index] = redis.call('SET', key, ARGV[1] .. ' ' .. ARGV[3], 'NX', 'PX', ARGV[2]) and 1 or 0
  end
  return taken`);
const lockReply = v.array(v.picklist([0, 1]));
const OWNS_LUA = `
  local function owns(key) return string.match(redis.call('GET', key) or '', '^%S+') == ARGV[1] end`;
const renewScript = redisScript(`${OWNS_LUA}
  for _, key in ipairs(KEYS) do
    if owns(key) then redis.call('SET', key, ARGV[1] .. ' ' .. ARGV[3], 'PX', ARGV[2]) end
  end`);
const releaseScript = redisScript(`${OWNS_LUA}
  for _, key in ipairs(KEYS) do
    if owns(key) then redis.call('DEL', key) end
  end`);
