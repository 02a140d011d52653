import type { Redis } from "ioredis";
import * as v from "valibot";
import { redisScript, runScript } from "./redis-script.ts";

/** How long a lock lasts that its holder does not renew, by the kind that its key begins with. */
const TTL_MS: Record<string, number> = { event: 15_000, session: 15_000, wallet: 5_000 };
const TTL_OTHERS_MS = 15_000;
/** Renewed so often that one renewal may be lost. */
const RENEWALS_PER_TTL = 3;
/** A Redis that does not answer for this long counts as away. */
const ANSWER_WAIT_MS = 400;
const TOKEN_KEPT_S = 86_400;

/** Locks of one kind, and who holds them or asks for them. */
export type Held = { keys: readonly string[]; owner: string };

/**
 * Asks once for each of these locks.
 * @returns the fencing tokens of those that were given, by key; "away" where Redis does not answer.
 */
export async function tryLocks(redis: Redis, asked: Held): Promise<Map<string, number> | "away"> {
  const { keys, owner } = asked;
  const pairs = keys.flatMap((key) => [lockKey(key), `${lockKey(key)}:fence`]);
  const reply = await answered(runScript(redis, lockScript, pairs, [owner, ttlMsOf(keys), TOKEN_KEPT_S]));
  if (reply === "silent") {
    // What we asked for may still be granted once Redis wakes up: it is given back in the same order.
    void releaseLocks(redis, asked);
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

/** Renews these locks again and again, as long as they are this owner's. @returns what ends it. */
export function keepLocks(redis: Redis, { keys, owner }: Held): () => void {
  const ttlMs = ttlMsOf(keys);
  const renew = () => void answered(runScript(redis, renewScript, keys.map(lockKey), [owner, ttlMs]));
  const renewal = setInterval(renew, ttlMs / RENEWALS_PER_TTL);
  return () => clearInterval(renewal);
}

/** Gives those of these locks back that are still this owner's. Never rejects. */
export async function releaseLocks(redis: Redis, { keys, owner }: Held): Promise<void> {
  await answered(runScript(redis, releaseScript, keys.map(lockKey), [owner]));
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

const lockKey = (key: string) => `lock:{${key}}`;

function ttlMsOf([key = ""]: readonly string[]): number {
  const [kind = ""] = key.split(":");
  return TTL_MS[kind] ?? TTL_OTHERS_MS;
}

// Every lock comes with a token, made in the same step; an empty one says that somebody else holds the lock. A token keeps
// growing after Redis has lost its data, because it is never below the clock of Redis in microseconds. `%.0f` keeps all 16
// digits.
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
