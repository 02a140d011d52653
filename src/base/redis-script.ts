import type { Redis } from "ioredis";

/** A Lua script, which Redis runs atomically. Its full text is sent only to a Redis that has not cached it yet. */
type RedisScript = { lua: string; sha: string };

/** Prepares a script for `runScript`. */
export function redisScript(lua: string): RedisScript {
  return { lua, sha: new Bun.CryptoHasher("sha1").update(lua).digest("hex") };
}

/** Runs a script and returns its reply, unchecked. Rejects while Redis is away. */
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

const runIds = new WeakMap<Redis, Promise<string>>();

/**
 * The id of the current run of the Redis behind a connection. It changes with every restart of Redis, which may have lost
 * the last writes. Rejects while Redis is away.
 */
export function redisRunId(redis: Redis): Promise<string> {
  const known = runIds.get(redis);
  if (known !== undefined) return known;
  const runId = redis.info("server").then((info) => {
    const run = /^run_id:(\w+)/m.exec(info)?.[1];
    if (run === undefined) throw new Error("INFO of Redis has no run_id");
    return run.slice(0, 12);
  });
  runIds.set(redis, runId);
  const invalidate = () => runIds.delete(redis);
  runId.then(() => redis.once("close", invalidate), invalidate);
  return runId;
}
