import { Command } from "ioredis";
import type { RedisClient } from "./redis.ts";

// Decision: a Redis Cluster runs a command or a script only on keys of one slot. So keys that are used together form a family: they
// begin with its name, which is in braces in a cluster (`{presence:session:7}:players`) and bare elsewhere
// (`presence:session:7:players`). The slot follows from what is in the braces. Elsewhere the names are those of earlier releases, so
// that processes of two releases share them during an upgrade. A new key that is used alone needs nothing of this; one that is
// used with another one begins with the `familyKey` of both.

/** The name that the keys of a family begin with. It is a key itself where the family has one of its name. */
function familyKey({ isCluster }: Pick<RedisClient, "isCluster">, family: string): string {
  return isCluster ? `{${family}}` : family;
}

/** The history of a stream and the channel of its messages. Scripts find its offset at `:at` behind this name. */
export function streamKey(redis: Pick<RedisClient, "isCluster">, stream: string): string {
  return familyKey(redis, stream);
}

/** The stream of a key that `streamKey` has made, or of a channel of that name. */
export function streamOf(key: string): string {
  return key.startsWith("{") && key.endsWith("}") ? key.slice(1, -1) : key;
}

/** How many players are online in a session, for all readers (no key: 0). Its family has the players too. */
export function presenceKey(redis: Pick<RedisClient, "isCluster">, sessionId: number): string {
  return familyKey(redis, `presence:session:${sessionId}`);
}

/** The ids of the players who have come to a session, sorted by when they came. */
export function arrivedKey(redis: Pick<RedisClient, "isCluster">, sessionId: number): string {
  return `${presenceKey(redis, sessionId)}:arrived`;
}

/** The reactions of a session that are not broadcast yet. */
export function reactionsKey(redis: Pick<RedisClient, "isCluster">, sessionId: number): string {
  return familyKey(redis, `reactions:session:${sessionId}`);
}

/** The lock `event:12`. Its family, which is in braces everywhere, has its fencing token and who waits for it. */
export function lockKey(lock: string): string {
  return `lock:{${lock}}`;
}

/** The prefix of BullMQ's keys of a queue. Each queue is a family, so that a cluster spreads them over its nodes. */
export function queuePrefix(redis: Pick<RedisClient, "isCluster">, queue: string): string {
  return redis.isCluster ? `{bull:${queue}}` : "bull";
}

/** The slot of a key in a cluster. */
export function slotOf(key: string): number {
  return new Command("get", [key]).getSlot();
}

/**
 * Does work on items by their keys: all together, or in a cluster those of each slot together, at the same time.
 * @returns the results in the order of the items. Rejects if one part does.
 */
export async function bySlot<Item, Result>(
  { isCluster }: Pick<RedisClient, "isCluster">,
  { items, keyOf }: { items: readonly Item[]; keyOf: (item: Item) => string },
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  if (!isCluster) return [...(await work(items))];
  const parts = new Map<number, { item: Item; index: number }[]>();
  for (const [index, item] of items.entries()) {
    const slot = slotOf(keyOf(item));
    const part = parts.get(slot) ?? [];
    part.push({ item, index });
    parts.set(slot, part);
  }
  const indexed = await Promise.all(
    [...parts.values()].map(async (part) => {
      const results = await work(part.map(({ item }) => item));
      return results.map((result, at) => [part[at]?.index ?? 0, result] as const);
    }),
  );
  return indexed
    .flat()
    .toSorted(([one], [other]) => one - other)
    .map(([, result]) => result);
}

/** The numbers in these keys, in the same order; 0 without one, or where the node of a cluster is away. Rejects while Redis is away. */
export async function getNumbers(redis: RedisClient, keys: readonly string[]): Promise<number[]> {
  if (keys.length === 0) return [];
  const texts = redis.isCluster
    ? await Promise.all(keys.map((key) => redis.get(key).catch(() => null)))
    : await redis.mget([...keys]);
  return texts.map((text) => Number(text ?? 0));
}
