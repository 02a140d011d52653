import { Redis, type RedisOptions } from "ioredis";

const RETRY_STEP_MS = 50;
const RETRY_MAX_MS = 1_000;
const COMMAND_TIMEOUT_MS = 2_000;

/**
 * Opens one connection for one purpose: `commands` fails within milliseconds while Redis is away (locks, publishing, queues
 * that requests use); `subscribe` and `worker` wait for its return.
 * @param url `redis://host:port/db`, or `unix:/folder/redis.sock` for a unix socket.
 */
export function connectRedis(url: string, purpose: "commands" | "subscribe" | "worker"): Redis {
  const redis = new Redis({ ...address(url), ...optionsFor[purpose], retryStrategy });
  // Without a listener every lost connection would be an uncaught error. ioredis reconnects by itself.
  redis.on("error", () => undefined);
  return redis;
}

const optionsFor = {
  commands: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: COMMAND_TIMEOUT_MS },
  subscribe: { maxRetriesPerRequest: null },
  worker: { maxRetriesPerRequest: null },
} satisfies Record<string, RedisOptions>;

function retryStrategy(attempt: number): number {
  return Math.min(attempt * RETRY_STEP_MS, RETRY_MAX_MS);
}

function address(url: string) {
  if (url.startsWith("unix:")) return { path: url.slice("unix:".length) };
  const parsed = new URL(url);
  return {
    host: parsed.hostname,
    port: Number(parsed.port || 6379),
    db: Number(parsed.pathname.slice(1) || 0),
    ...(parsed.username ? { username: decodeURIComponent(parsed.username) } : {}),
    ...(parsed.password ? { password: decodeURIComponent(parsed.password) } : {}),
    ...(parsed.protocol === "rediss:" ? { tls: {} } : {}),
  };
}
