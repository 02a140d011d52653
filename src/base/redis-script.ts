import { Redis } from "ioredis";
import { slotOf } from "./redis-keys.ts";
import type { RedisClient } from "./redis.ts";

/** A Lua script, which Redis runs atomically. Its full text is sent only to a Redis that has not cached it yet. */
export type RedisScript = { lua: string; sha: string };

export function redisScript(lua: string): RedisScript {
  return { lua, sha: new Bun.CryptoHasher("sha1").update(lua).digest("hex") };
}

/** Runs a script and returns its reply, unchecked. Rejects while Redis is away. */
export async function runScript(
  redis: RedisClient,
  { lua, sha }: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  try {
    return await redis.evalsha(sha, keys.length, ...keys, ...args);
  } catch (error) {
    if (!startsWith(error, "NOSCRIPT")) throw error;
    return redis.eval(lua, keys.length, ...keys, ...args);
  }
}

/**
 * Runs a script with the id of the run of the Redis that runs it as the first argument. In a cluster it goes to the node that has
 * the keys and to no other: one that has taken over since then would take the id of another run for its own.
 */
export async function runScriptInRun(
  redis: RedisClient,
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  if (redis instanceof Redis) return runScript(redis, script, keys, [await redisRunId(redis), ...args]);
  try {
    return await runOnNode(redis, script, keys, args);
  } catch (error) {
    await refreshSlots(redis);
    // Only a node that does not have the slot any more has certainly not run the script.
    if (!startsWith(error, "MOVED")) throw error;
    return runOnNode(redis, script, keys, args);
  }
}

type Cluster = Exclude<RedisClient, Redis>;

async function runOnNode(
  cluster: Cluster,
  script: RedisScript,
  keys: readonly string[],
  args: readonly (string | number)[],
): Promise<unknown> {
  const owner = ownerOf(cluster, keys[0] ?? "");
  const node = cluster.nodes("master").find(({ options }) => `${options.host}:${options.port}` === owner);
  if (node === undefined) throw new Error("The node of the cluster that has the slot is away.");
  return runScript(node, script, keys, [await redisRunId(node), ...args]);
}

/** The `host:port` of the node of a cluster that has a key, as far as is known; "" if it is not known. */
export function ownerOf(cluster: Cluster, key: string): string {
  return cluster.slots[slotOf(key)]?.[0] ?? "";
}

const REFRESH_EVERY_MS = 200;
const refreshes = new WeakMap<Cluster, Promise<void>>();

/** Asks a cluster which node has which slots, at most each 200 ms. Never rejects. */
export function refreshSlots(cluster: Cluster): Promise<void> {
  const running = refreshes.get(cluster);
  if (running !== undefined) return running;
  const { promise, resolve } = Promise.withResolvers<void>();
  cluster.refreshSlotsCache(() => resolve());
  refreshes.set(cluster, promise);
  setTimeout(() => refreshes.delete(cluster), REFRESH_EVERY_MS).unref();
  return promise;
}

const runIds = new WeakMap<Redis, Promise<string>>();

/**
 * The id of the current run of the Redis behind a connection. It changes with every restart of Redis, which may have lost
 * the last writes. Rejects while Redis is away.
 */
function redisRunId(redis: Redis): Promise<string> {
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

function startsWith(error: unknown, code: string): boolean {
  return error instanceof Error && error.message.startsWith(code);
}

// Decision: Redis's clock only ends keys. What is waited for until a key ends is never waited for longer than its lifetime: after the
// clock was set back, or at a new master whose clock is behind, a key may last for as long as the difference.

/**
 * `takeTurn(key, everyMs)`: true for one caller within this time, of all processes; nil for the others, until the key ends. Part of
 * a script.
 */
export const TAKE_TURN_LUA = `
local function takeTurn(key, everyMs)
  if redis.call('PTTL', key) > tonumber(everyMs) then redis.call('DEL', key) end
  return redis.call('SET', key, 1, 'NX', 'PX', everyMs)
end`;

const turnScript = redisScript(`${TAKE_TURN_LUA}
if takeTurn(KEYS[1], ARGV[1]) then return 0 end
return math.max(1, redis.call('PTTL', KEYS[1]))`);

/**
 * Takes the turn of this key, which comes once within this time for all processes together. Rejects while Redis is away.
 * @returns 0 if it was taken; otherwise how long to wait, in milliseconds.
 */
export async function takeTurn(redis: RedisClient, key: string, everyMs: number): Promise<number> {
  // Redis refuses a part of a millisecond.
  return Number(await runScript(redis, turnScript, [key], [Math.ceil(everyMs)]));
}
