import { once } from "node:events";
import { Redis } from "ioredis";
import { ownerOf } from "./redis-script.ts";
import { connectNode, connectRedis, type RedisClient } from "./redis.ts";

// Decision: what the product needs of Redis is tried, once for each connection. A user of Redis without a right is refused in the middle
// of a show otherwise, and the default of new users is to have no channels.

const CONNECTS_WITHIN_MS = 2_000;
const KEEPS_MS = 10_000;

/** What the product and BullMQ ask for, on keys that nobody else uses; each with the arguments that it needs at least. */
function commandsOn(key: string): [name: string, ...rest: string[]][] {
  const of = (kind: string) => `${key}:${kind}`;
  return [
    ["set", key, "1", "PX", String(KEEPS_MS)],
    ["get", key],
    ["mget", key],
    ["exists", key],
    ["incr", of("number")],
    ["getdel", of("number")],
    ["hset", of("hash"), "a", "1"],
    ["hincrby", of("hash"), "a", "1"],
    ["hget", of("hash"), "a"],
    ["hgetall", of("hash")],
    ["hdel", of("hash"), "a"],
    ["zadd", of("sorted"), "1", "a"],
    ["zrange", of("sorted"), "0", "-1"],
    ["zremrangebyscore", of("sorted"), "1", "1"],
    ["zadd", of("sorted"), "1", "a"],
    ["bzpopmin", of("sorted"), "0.01"],
    ["sadd", of("set"), "a"],
    ["srem", of("set"), "a"],
    ["rpush", of("list"), "a"],
    ["lrange", of("list"), "0", "-1"],
    ["lpop", of("list")],
    ["xadd", of("stream"), "MAXLEN", "~", "10", "*", "a", "1"],
    ["xrange", of("stream"), "-", "+"],
    ["xdel", of("stream"), "0-1"],
    ["xrevrange", of("stream"), "+", "-", "COUNT", "1"],
    ["eval", "return redis.call('time')", "1", key],
    ["pexpire", key, String(KEEPS_MS)],
    ["pttl", key],
    ["del", key, of("number"), of("hash"), of("sorted"), of("set"), of("list"), of("stream")],
  ];
}

/** What a user of Redis needs, as rules of an ACL: scripts of BullMQ run more commands than are tried. */
export const neededRules = "~* &* +@all -@admin -@dangerous +info +role +client|list +client|setname";

/** What a command was refused for, as the rule of an ACL that allows it. */
function ruleFor(message: string): string | null {
  if (!/no permissions|NOPERM/i.test(message)) return null;
  if (/channel/.test(message)) return "&*";
  if (/key/.test(message)) return "~*";
  const [, command = "@all"] = /run the '([^'|]+)/.exec(message) ?? [];
  return `+${command}`;
}

/** A Redis that answers, and does not do what is asked of it. The message says what is wrong, and what to change. */
export class RedisRefuses extends Error {
  override readonly name = "RedisRefuses";
}

/**
 * Tries what the product needs of Redis: to read, to write, scripts, streams, jobs and channels.
 * @param user whom the address names.
 * @throws RedisRefuses if it may not do all of it, or if Redis takes no writes; another error if Redis goes away meanwhile.
 */
export async function tryRights(
  redis: RedisClient,
  { url, user }: { url: string; user: string },
): Promise<void> {
  const key = `{trial:${crypto.randomUUID()}}`;
  const errors = await tryAll(redis, url, key);
  for (const error of errors) requireWrites(error);
  const rules = new Set(errors.flatMap(({ message }) => ruleFor(message) ?? []));
  if (rules.size > 0) throw new RedisRefuses(lacksRights(user, [...rules]));
}

/**
 * Writes a key, on a connection that is known to have all rights: the memory or the disk of Redis may be full since then.
 * @throws RedisRefuses if Redis takes no writes; another error if it goes away meanwhile.
 */
export async function tryWrite(redis: RedisClient): Promise<void> {
  try {
    await redis.set("{trial}:write", "1", "PX", KEEPS_MS);
  } catch (error) {
    if (error instanceof Error) requireWrites(error);
    throw error;
  }
}

/** @throws RedisRefuses if an error says that Redis takes no writes. */
function requireWrites(cause: Error): void {
  if (/^(OOM|READONLY|MISCONF|NOREPLICAS)/.test(cause.message))
    throw new RedisRefuses(takesNoWrites(cause.message), { cause });
}

/** On a connection of its own, where nothing waits for it, to the node of a cluster that has the key. @returns what was refused. */
async function tryAll(redis: RedisClient, url: string, key: string): Promise<Error[]> {
  const line = redis instanceof Redis ? connectRedis(url, "commands") : connectNode(url, nodeOf(redis, key));
  if (!(line instanceof Redis)) throw new Error("One server was expected.");
  try {
    // It rejects with what Redis says to a new connection: that the password is another one, or that there are too many.
    await once(line, "ready", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
    const answers = (await line.pipeline(commandsOn(key)).exec()) ?? [];
    return [
      ...answers.flatMap(([error]) => (error === null ? [] : [error])),
      ...(await refusalsOf(() => (redis.isCluster ? line.spublish(key, "") : line.publish(key, "")))),
      // From then on it can do nothing else.
      ...(await refusalsOf(() => (redis.isCluster ? line.ssubscribe(key) : line.subscribe(key)))),
    ];
  } finally {
    line.disconnect();
  }
}

async function refusalsOf(work: () => Promise<unknown>): Promise<Error[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof Error && ruleFor(error.message) !== null) return [error];
    throw error;
  }
}

function nodeOf(cluster: Exclude<RedisClient, Redis>, key: string) {
  const owner = ownerOf(cluster, key);
  const portAt = owner.lastIndexOf(":");
  return { host: owner.slice(0, portAt), port: Number(owner.slice(portAt + 1)) };
}

function lacksRights(user: string, rules: readonly string[]): string {
  return (
    `Redis refuses the user "${user}" what Called It needs. As an administrator of Redis: ` +
    `ACL SETUSER ${user} ${rules.join(" ")} (and ACL SAVE, where users are in a file).`
  );
}

function takesNoWrites(message: string): string {
  if (message.startsWith("OOM"))
    return "Redis takes no writes, because its memory is full. Raise maxmemory, or make room; maxmemory-policy is to be noeviction.";
  if (message.startsWith("READONLY"))
    return "Redis takes no writes, because it is a replica. Name the primary in REDIS_URL, or promote this one.";
  if (message.startsWith("MISCONF"))
    return "Redis takes no writes, because it could not save its data. Make room on its disk; its log says more.";
  return "Redis takes no writes, because it has too few replicas (min-replicas-to-write). Start them.";
}
