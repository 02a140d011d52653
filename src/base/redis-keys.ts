import { Command, Redis } from "ioredis";
import type { RedisClient } from "./redis.ts";

// Decision: a Redis Cluster runs a command or a script only on keys of one slot. So keys that are used together form a family: they
// begin with its name, which is in braces in a cluster (`{presence:session:7}:players`) and bare elsewhere
// (`presence:session:7:players`). The slot follows from what is in the braces. Elsewhere the names are those of earlier releases, so
// that processes of two releases share them during an upgrade. A new key that is used alone needs nothing of this; one that is
// used with another one begins with the `familyKey` of both.
//
// Decision: each numbered database of a Redis belongs to one installation (claim-redis.ts), so keys do not name it. Channels and
// the names of connections are the same for all numbers of a server, so on another number than 0 those begin with it. The number comes from
// the settings: nothing has to be read first, an emptied Redis changes nothing, and a copied database on another number is another one.

/** The name that the keys of a family begin with. It is a key itself where the family has one of its name. */
function familyKey({ isCluster }: Pick<RedisClient, "isCluster">, family: string): string {
  return isCluster ? `{${family}}` : family;
}

/** What a name begins with that all numbers of a Redis share. */
function numberPrefix(redis: Pick<RedisClient, "options">): string {
  const number = redis instanceof Redis ? (redis.options.db ?? 0) : 0;
  return number === 0 ? "" : `${number}:`;
}

/** The channel of a stream, where it is not a part of a cluster's node. */
export function channelOf(redis: Pick<RedisClient, "options">, stream: string): string {
  return numberPrefix(redis) + stream;
}

/** The history of a stream and, in a cluster, the channel of its messages. Scripts find its offset at `:at` behind this name. */
export function streamKey(redis: Pick<RedisClient, "isCluster">, stream: string): string {
  return familyKey(redis, stream);
}

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

/** The prefix of BullMQ's keys and connections of a queue. Each queue is a family, so that a cluster spreads them over its nodes. */
export function queuePrefix(redis: Pick<RedisClient, "isCluster" | "options">, queue: string): string {
  return redis.isCluster ? `{bull:${queue}}` : `${numberPrefix(redis)}bull`;
}

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
