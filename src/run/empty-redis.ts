import { once } from "node:events";
import { Redis } from "ioredis";
import { connectRedis, type RedisClient } from "#src/base/redis.ts";
import { describeRedisTrouble } from "#src/base/watch-redis.ts";
import { readEnv } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";

const CONNECTS_WITHIN_MS = 3_000;

const KEYS_AT_ONCE = 1_000;

// bun run empty-redis: removes all keys of the Redis that the settings name, under its number. It is needed after the database was moved or
// restored, and harmless at any time: what Redis holds is set again from the database.
await runCommand(async ({ say }) => {
  const { redisUrl } = readEnv();
  const redis = connectRedis(redisUrl, "commands");
  try {
    await once(redis, "ready", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) }).catch(
      (error: unknown) => {
        throw new Error(describeRedisTrouble(redisUrl, error instanceof Error ? error : null), {
          cause: error,
        });
      },
    );
    say(`Redis is empty: ${await emptyRedis(redis)} keys are removed.`);
  } finally {
    redis.disconnect();
  }
});

/**
 * Removes all keys of the numbered database of a connection, or of a cluster. The user of the program may not FLUSHDB.
 * @returns how many there were. Rejects while Redis is away.
 */
async function emptyRedis(redis: RedisClient): Promise<number> {
  const nodes = redis instanceof Redis ? [redis] : redis.nodes("master");
  const counts = await Promise.all(nodes.map(emptyNode));
  return counts.reduce((sum, count) => sum + count, 0);
}

async function emptyNode(node: Redis): Promise<number> {
  let count = 0;
  let cursor = "0";
  do {
    const [next, keys] = await node.scan(cursor, "COUNT", KEYS_AT_ONCE);
    // One by one, because those of a cluster are of several slots.
    const removed = await Promise.all(keys.map((key) => node.unlink(key)));
    count += removed.reduce((sum, one) => sum + one, 0);
    cursor = next;
  } while (cursor !== "0");
  return count;
}
