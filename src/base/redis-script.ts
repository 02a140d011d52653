import type { Redis } from "ioredis";

/** A Lua script that Redis runs in one step; it is sent in full only to a Redis that does not know it yet. */
export type RedisScript = { lua: string; sha: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha: new Bun.CryptoHasher("sha1").update(lua).digest("hex") };
}

/** Runs a script. Rejects while Redis is away; the answer is to be checked. */
export async function runScript(
  redis: Redis,
  { lua, sha }: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
    return redis.eval(lua, keys.length, ...keys, ...args);
  }
}

const runs = new WeakMap<Redis, Promise<string>>();

/**
 * Names the run of the Redis behind a connection: another one after each of its restarts, which may have lost what was
 * written last. Rejects while Redis is away.
 */
export function runOf(redis: Redis): Promise<string> {
  const known = runs.get(redis);
  if (known !== undefined) return known;
  const asked = redis.info("server").then((info) => {
    const run = /^run_id:(\w+)/m.exec(info)?.[1];
    if (run === undefined) throw new Error("Redis does not say which run it is.");
    return run.slice(0, 12);
  });
  runs.set(redis, asked);
  const forget = () => runs.delete(redis);
  asked.catch(forget);
  redis.once("close", forget);
  return asked;
}
