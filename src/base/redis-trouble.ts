import { tlsRefusal } from "#db/pool/tls-refused.ts";
import { parseRedisUrl } from "#src/settings/redis-address.ts";
import { RedisRefuses } from "./redis-rights.ts";

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
    "It ends new connections at once, mostly because all are in use. Raise its maxclients, or stop what does not need them; its log says more.",
  ],
  [/^LOADING/, "Redis is loading its data. It is used as soon as it has done so."],
  [
    /^NOPERM/,
    "Redis refuses its user to connect. As an administrator of Redis: ACL SETUSER name +@connection.",
  ],
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
export function cureOfRedis(error: Error): string | null {
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
