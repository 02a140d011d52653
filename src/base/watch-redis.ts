import { once } from "node:events";
import { Redis } from "ioredis";
import { tlsRefusal } from "#db/pool/database-errors.ts";
import { parseRedisUrl } from "#src/settings/redis-address.ts";
import { ownerOf } from "./redis-script.ts";
import { connectNode, connectRedis, pingRedis, type RedisClient } from "./redis.ts";

const LOOK_EVERY_MS = 1_000;
/** So often all rights are tried, on a new connection: somebody may take one, or change the password. Otherwise one key is written. */
const RIGHTS_EVERY_LOOKS = 3;

/** What is wrong with Redis, and what to change. "refuses": it answers, and does not do what is asked of it. */
export type RedisTrouble = { state: "away" | "refuses"; said: string };

export type RedisWatch = {
  /** Resolves when Redis can be used for the first time. */
  usable: Promise<void>;
  /** Null: the last look has found nothing. */
  trouble: () => RedisTrouble | null;
  stop: () => void;
};

/** Watches Redis: all that the product needs with each new connection and every 3 s, and each second whether it takes writes. */
export function watchRedis(redis: RedisClient, { redisUrl }: { redisUrl: string }): RedisWatch {
  const watching = new Watching(redisUrl, redis);
  const usable = Promise.withResolvers<void>();
  let trouble: RedisTrouble | null = null;
  let looking: Promise<void> | null = null;
  const look = async () => {
    trouble = await watching.look();
    if (trouble === null) usable.resolve();
  };
  const lookAgain = () => (looking ??= look().finally(() => (looking = null)));
  const timer = setInterval(() => void lookAgain(), LOOK_EVERY_MS);
  void lookAgain();
  return { usable: usable.promise, trouble: () => trouble, stop: () => clearInterval(timer) };
}

class Watching {
  readonly #url: string;
  readonly #user: string;
  readonly #redis: RedisClient;
  /** Of the connection. */
  #lastError: Error | null = null;
  #looks = 0;

  constructor(url: string, redis: RedisClient) {
    this.#url = url;
    this.#user = parseRedisUrl(url)?.username ?? "default";
    this.#redis = redis;
    redis.on("error", (error: Error) => (this.#lastError = error));
    redis.on("ready", () => (this.#lastError = null));
    redis.on("close", () => (this.#looks = 0));
  }

  /** Redis may refuse new connections while the present one goes on. */
  async #tryRights(): Promise<void> {
    try {
      await tryRights(this.#redis, { url: this.#url, user: this.#user });
    } catch (error) {
      const cure = error instanceof Error ? cureOfRedis(error) : null;
      if (cure === null) throw error;
      await pingRedis(this.#redis);
      throw new RedisRefuses(`Redis takes no new connection. ${cure}`, { cause: error });
    }
  }

  /** @returns what is wrong; null if nothing is. */
  async look(): Promise<RedisTrouble | null> {
    try {
      // A replica ends the connection with each write that it refuses, so that one is rarely there to be asked.
      if (this.#looks === 0) await this.#tryRights();
      else await Promise.all([pingRedis(this.#redis), tryWrite(this.#redis)]);
      this.#looks = (this.#looks + 1) % RIGHTS_EVERY_LOOKS;
      return null;
    } catch (error) {
      if (error instanceof RedisRefuses) return { state: "refuses", said: error.message };
      return { state: "away", said: describeRedisTrouble(this.#url, this.#lastError) };
    }
  }
}

const ADMINISTRATOR =
  "As an administrator of Redis (deploy/redis.md; where deploy/setup.sh has made it, `called-it redis-cli` opens a prompt)";

/** What an error of Redis begins with, or its code, and what to say. */
const known: readonly [start: RegExp, cure: string][] = [
  [/^WRONGPASS/, "Redis refuses the user or the password in REDIS_URL. Correct them."],
  [
    /^NOAUTH/,
    "Redis asks for a password, and REDIS_URL has none. Its place is before the host, between : and @.",
  ],
  [
    /^(ERR )?.*without any password configured/,
    "Redis has no password, and REDIS_URL has one. Leave it out.",
  ],
  [
    /max number of clients|^ECONNRESET/,
    "It ends new connections at once, mostly because all are in use. Raise its maxclients in its configuration and restart it, or stop what does not need them; its log says more.",
  ],
  [/^LOADING/, "Redis is loading its data. It is used as soon as it has done so."],
  [/^NOPERM/, `Redis refuses its user to connect. ${ADMINISTRATOR}: ACL SETUSER name +@connection.`],
  [/^ECONNREFUSED|^ENOENT/, "Nothing answers there. Start Redis, or correct REDIS_URL."],
  [/^EACCES/, "The socket may not be entered. Give the user of this process the right to."],
  [
    /^ENOTFOUND|^EAI_AGAIN/,
    "The name is not known. Correct REDIS_URL, or the names that this machine knows.",
  ],
  [/^EHOSTUNREACH|^ENETUNREACH/, "There is no way there. Correct REDIS_URL, or the network."],
];

/** What is wrong with Redis, and what to change, in sentences without secrets. @param error the last one of a connection, if any. */
export function describeRedisTrouble(url: string, error: Error | null): string {
  if (error instanceof RedisRefuses) return error.message;
  const refused = tlsRefusal(error, "Redis");
  if (refused !== null) return refused.message;
  const where = placeOf(url);
  return `Redis is away (${where}). ${(error === null ? null : cureOfRedis(error)) ?? silence(url)}`;
}

/** What to change about an error of a connection to Redis; null where that is not known. */
function cureOfRedis(error: Error): string | null {
  const code = "code" in error ? String(error.code) : "";
  return known.find(([start]) => start.test(code) || start.test(error.message))?.[1] ?? null;
}

function silence(url: string): string {
  const cure = url.startsWith("rediss")
    ? "If it has no TLS there, write redis:// instead of rediss://."
    : "If it wants TLS there, write rediss:// instead of redis://.";
  return `It does not answer in time, or ends the connection. Check that it runs, what slows it, and REDIS_URL. ${url.startsWith("unix:") ? "" : cure}`.trim();
}

function placeOf(url: string): string {
  const address = parseRedisUrl(url);
  return address?.path ?? address?.hosts.map(({ host, port }) => `${host}:${port}`).join(", ") ?? "";
}

// Decision: what the product needs of Redis is tried, once for each connection. A user of Redis without a right is refused in the middle
// of a show otherwise, and the default of new users is to have no channels.

const CONNECTS_WITHIN_MS = 2_000;
const KEEPS_MS = 10_000;

/** What the program, its scripts and BullMQ ask for, on a key that nobody else uses. That its value is of another kind is no refusal. */
const USED = `set K 1 PX ${KEEPS_MS}, get K, mget K, exists K, type K, incr K, incrby K 1, expire K 10, pexpireat K 1, set K 1, persist K,
  pexpire K ${KEEPS_MS}, pttl K, rename K K, hset K a 1, hsetnx K a 1, hmset K a 1, hget K a, hmget K a, hgetall K, hkeys K, hvals K, hlen K, hexists K a,
  hincrby K a 1, hdel K a, zadd K 1 a, zcard K, zcount K 0 1, zscore K a, zrange K 0 1, zrevrange K 0 1, zrangebyscore K 0 1,
  zrevrangebyscore K 1 0, zrangebylex K - +, zpopmin K, bzpopmin K 0.01, zrem K a, zremrangebyscore K 0 1, zremrangebyrank K 0 1, sadd K a,
  scard K, sismember K a, smembers K, srem K a, rpush K a, lpush K a, llen K, lindex K 0, lset K 0 a, lpos K a, lrange K 0 1, lrem K 1 a,
  ltrim K 0 1, rpoplpush K K, rpop K, lpop K, xadd K * a 1, xlen K, xrange K - +, xrevrange K + -, xtrim K MAXLEN 1, xdel K 0-1, time,
  info server, eval return 0, evalsha ${"0".repeat(40)} 0, getdel K, del K, unlink K`;
/** A user that lacks more of them is told to take all. */
const RULES_NAMED = 8;

/** What a user of Redis needs, as rules of an ACL: scripts of BullMQ run more commands than are tried. */
export const neededRules = "~* &* +@all -@admin -@dangerous +info +role +client|list +client|setname";

/** What a command was refused for, as the rule of an ACL that allows it. */
function ruleFor(message: string): string | null {
  if (!/no permissions|NOPERM/i.test(message)) return null;
  const [, command] = /run the '([^'|]+)/.exec(message) ?? [];
  if (command !== undefined) return `+${command}`;
  return /channel/.test(message) ? "&*" : "~*";
}

/** A Redis that answers, and does not do what is asked of it. The message says what is wrong, and what to change. */
class RedisRefuses extends Error {
  override readonly name = "RedisRefuses";
}

/** Tries what the product needs. @param user whom the address names. @throws RedisRefuses if it may not do all; another error if Redis goes away. */
export async function tryRights(
  redis: RedisClient,
  { url, user }: { url: string; user: string },
): Promise<void> {
  const key = `{trial:${crypto.randomUUID()}}`;
  const errors = await tryAll(redis, url, key);
  const rules = new Set(errors.flatMap(({ message }) => ruleFor(message) ?? []));
  if (rules.size === 0) return;
  const lacking = rules.size > RULES_NAMED ? neededRules : [...rules].join(" ");
  throw new RedisRefuses(
    `Redis refuses the user "${user}" what Called It needs. ${ADMINISTRATOR}: ACL SETUSER ${user} ${lacking} (and ACL SAVE, where users are in a file).`,
  );
}

/** On a connection that is known to have all rights. @throws RedisRefuses if Redis takes no writes: its memory or its disk may be full since then. */
async function tryWrite(redis: RedisClient): Promise<void> {
  try {
    // Gone at once: a Redis of another installation keeps nothing of this one.
    await redis.set("{trial}:write", "1", "PX", 1);
  } catch (error) {
    if (error instanceof Error) requireWrites(error);
    throw error;
  }
}

/** Why Redis takes no writes, and what to change, by the first word of its error. */
const writeRefusals: Readonly<Record<string, string>> = {
  OOM: 'its memory is full. Raise maxmemory (deploy/redis.md, "Memory"), or make room; maxmemory-policy is to be noeviction.',
  READONLY: "it is a replica. Name the primary in REDIS_URL, or promote this one.",
  MISCONF: "it could not save its data. Make room on its disk; its log says more.",
  NOREPLICAS: "it has too few replicas (min-replicas-to-write). Start them.",
};

/** @throws RedisRefuses if an error says that Redis takes no writes. */
function requireWrites(cause: Error): void {
  const reason = writeRefusals[/^[A-Z]+/.exec(cause.message)?.[0] ?? ""];
  if (reason !== undefined) throw new RedisRefuses(`Redis takes no writes, because ${reason}`, { cause });
}

/** On a connection of its own, where nothing waits for it, to the node that has the key. @returns what was refused. @throws RedisRefuses as tryWrite. */
async function tryAll(redis: RedisClient, url: string, key: string): Promise<Error[]> {
  const line = redis instanceof Redis ? connectRedis(url, "commands") : connectNode(url, nodeOf(redis, key));
  if (!(line instanceof Redis)) throw new Error("One server was expected.");
  try {
    // It rejects with what Redis says to a new connection: that the password is another one, or that there are too many.
    await once(line, "ready", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
    const commands = USED.split(/,\s+/).map((command) => command.replaceAll("K", key).split(" "));
    const answers = (await line.pipeline(commands).exec()) ?? [];
    const errors = answers.flatMap(([error]) => (error === null ? [] : [error]));
    // A demoted server's answer has ended the connection.
    for (const error of errors) requireWrites(error);
    return [
      ...errors,
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
