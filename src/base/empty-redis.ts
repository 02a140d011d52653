import { Redis } from "ioredis";
import type { RedisClient } from "./redis.ts";

const KEYS_AT_ONCE = 1_000;

/**
 * Removes all keys of the numbered database of a connection, or of a cluster. The user of the program may not FLUSHDB.
 * @returns how many there were. Rejects while Redis is away.
 */
export async function emptyRedis(redis: RedisClient): Promise<number> {
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
