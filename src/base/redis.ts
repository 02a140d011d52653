import { Redis, type RedisOptions } from "ioredis";

const RETRY_STEP_MS = 50;
const RETRY_MAX_MS = 1_000;
const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection that is quiet is asked for a sign of life this often. */
const ASK_EVERY_MS = 2_000;
/** A connection that owes an answer for so long is dead: its packets are lost, or its server is frozen. It is replaced. */
const SILENT_MS = 2_000;
/** A worker's connection waits up to 10 s for a job. */
const SILENT_WORKER_MS = 12_000;

/**
 * Opens one connection for one purpose, and replaces it when it dies without an error: `commands` fails within milliseconds while Redis is away (locks, publishing, queues
 * that requests use); `subscribe` and `worker` wait for its return.
 * @param url `redis://host:port/db`, or `unix:/folder/redis.sock` for a unix socket.
 */
export function connectRedis(url: string, purpose: "commands" | "subscribe" | "worker"): Redis {
  const redis = new Redis({ ...address(url), ...optionsFor[purpose], ...common });
  // Without a listener every lost connection would be an uncaught error. ioredis reconnects by itself.
  redis.on("error", () => undefined);
  askForLife(redis);
  return redis;
}

/**
 * Sends a PING from time to time, because `socketTimeout` runs only while an answer is owed: a subscriber would wait for messages
 * for ever.
 */
function askForLife(redis: Redis): void {
  const timer = setInterval(() => {
    // A ping that fails ends with its connection.
    if (redis.status === "ready") redis.ping().catch(() => undefined);
  }, ASK_EVERY_MS);
  timer.unref();
  redis.once("end", () => clearInterval(timer));
}

const optionsFor = {
  commands: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENT_MS,
  },
  subscribe: { maxRetriesPerRequest: null, socketTimeout: SILENT_MS },
  worker: { maxRetriesPerRequest: null, socketTimeout: SILENT_WORKER_MS },
} satisfies Record<string, RedisOptions>;
const common = { retryStrategy, connectTimeout: CONNECT_TIMEOUT_MS } satisfies RedisOptions;

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

/** A connection on which every command fails at once: for work that must behave as if Redis were away. It never connects. */
export function unreachableRedis(): Redis {
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
  redis.on("error", () => undefined);
  redis.disconnect();
  return redis;
}
