import * as v from "valibot";
import { bySlot, lockKey } from "./redis-keys.ts";
import { type RedisScript, redisScript, runScript } from "./redis-script.ts";
import type { RedisClient } from "./redis.ts";

/** How long a lock lasts without a renewal, by its kind: the part of the key before the colon. */
const TTL_MS: Record<string, number> = { event: 15_000, session: 15_000, wallet: 5_000 };
const TTL_OTHERS_MS = 15_000;
/** Often enough that one renewal may fail. */
const RENEWALS_PER_TTL = 3;
/** After this long without a reply, Redis counts as away. */
const REPLY_TIMEOUT_MS = 400;
const FENCE_TTL_S = 86_400;

/** Locks of one kind, and the id of the owner that holds or requests them. */
export type LockSet = { keys: readonly string[]; owner: string };

/**
 * Tries once to take each of these locks.
 * @returns the fencing tokens of the locks that were taken, by key; "away" if Redis does not reply.
 */
export async function tryLocks(redis: RedisClient, locks: LockSet): Promise<Map<string, number> | "away"> {
  const { keys, owner } = locks;
  const args = [owner, ttlMsOf(keys), FENCE_TTL_S];
  const reply = await replyWithin(
    bySlot(redis, { items: keys, keyOf: lockKey }, async (some) => {
      const pairs = some.flatMap((key) => [lockKey(key), `${lockKey(key)}:fence`]);
      return v.parse(lockReply, await runScript(redis, lockScript, pairs, args));
    }),
  );
  if (reply === "silent") {
    // Redis may still run the request later. The release is queued behind it on the same connection.
    void releaseLocks(redis, locks);
    return "away";
  }
  const tokens = reply.value;
  return new Map(
    keys.flatMap((key, index) => {
      const token = tokens[index] ?? "";
      return token === "" ? [] : [[key, Number(token)] as const];
    }),
  );
}

/** Renews these locks periodically while they belong to this owner. @returns a function that stops it. */
export function renewLocks(redis: RedisClient, { keys, owner }: LockSet): () => void {
  const ttlMs = ttlMsOf(keys);
  const renew = () => void replyWithin(runOnLocks(redis, renewScript, keys, [owner, ttlMs]));
  const renewal = setInterval(renew, ttlMs / RENEWALS_PER_TTL);
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
  const reply = await replyWithin(redis.exists(awaitedKey(key)));
  return reply !== "silent" && reply.value === 1;
}

/** The reply of Redis; "silent" if it is away or does not reply in time. Never rejects. */
async function replyWithin<Reply>(command: Promise<Reply>): Promise<{ value: Reply } | "silent"> {
  const { promise: timeout, resolve } = Promise.withResolvers<"silent">();
  const timer = setTimeout(() => resolve("silent"), REPLY_TIMEOUT_MS);
  try {
    return await Promise.race([command.then((value) => ({ value })).catch(() => "silent" as const), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

const awaitedKey = (key: string) => `${lockKey(key)}:awaited`;

function ttlMsOf([key = ""]: readonly string[]): number {
  const [kind = ""] = key.split(":");
  return TTL_MS[kind] ?? TTL_OTHERS_MS;
}

// Each lock gets a token in the same step; an empty token means that the lock is held elsewhere. Tokens keep growing after
// Redis has lost its data, because a token is never below the clock of Redis in microseconds. `%.0f` prints all 16 digits.
const lockScript = redisScript(`
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
  return tokens`);
const lockReply = v.array(v.string());
const renewScript = redisScript(`
  for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('PEXPIRE', key, ARGV[2]) end
  end`);
const releaseScript = redisScript(`
  for _, key in ipairs(KEYS) do
    if redis.call('GET', key) == ARGV[1] then redis.call('DEL', key) end
  end`);
