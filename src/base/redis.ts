import { readFileSync } from "node:fs";
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from "ioredis";
import { tlsRefusal } from "#db/pool/database-errors.ts";
import { parseRedisUrl, type RedisAddress, type RedisHost } from "#src/settings/redis-address.ts";

/** A connection to one Redis (also by sentinels), or the connections to the nodes of a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * What a connection is for: `commands` fails within milliseconds while Redis is away (locks, publishing, queues that requests use);
 * `subscribe` and `worker` wait for its return.
 */
type Purpose = "commands" | "subscribe" | "worker";

const RETRY_STEP_MS = 50;
const RETRY_MAX_MS = 1_000;
const COMMAND_TIMEOUT_MS = 2_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A connection that is quiet is asked for a sign of life this often. */
const ASK_EVERY_MS = 1_000;
/** A connection that owes an answer for so long is dead: its packets are lost, or its server is frozen. It is replaced. */
const SILENT_MS = 2_000;
/** How long a worker's connection waits for a job at once. While it waits it answers nothing else, no PING either. */
export const WAIT_FOR_JOB_MAX_S = 5;
/** For a connection that may be waiting for a job. */
const SILENT_WORKER_MS = WAIT_FOR_JOB_MAX_S * 1_000 + SILENT_MS;
/** How often a cluster is asked which node has which slots; also when a node answers that it has lost one. */
const SLOTS_EVERY_MS = 5_000;
/** How often a worker asks a cluster whose node is away, each 100 ms apart: for longer than a replica needs to take over. */
const WORKER_REDIRECTIONS = 300;

/**
 * Opens one connection for one purpose, and replaces it when it dies without an error. In a cluster that holds for the connection
 * to each node.
 * @param url one of the forms of `parseRedisUrl`.
 */
export function connectRedis(url: string, purpose: Purpose): RedisClient {
  const address = addressOf(url);
  if (!address.isCluster) return connectServer(address, purpose);
  const { enableOfflineQueue: _ofCluster, ...ofNodes } = { enableOfflineQueue: true, ...optionsFor[purpose] };
  const cluster = new Cluster(address.hosts, {
    ...clusterOptionsFor[purpose],
    redisOptions: { ...nodeOptions(address), ...ofNodes, connectTimeout: CONNECT_TIMEOUT_MS },
    scaleReads: "master",
    clusterRetryStrategy: retryStrategy,
    slotsRefreshInterval: SLOTS_EVERY_MS,
    // Certificates are for names, and a name may get another address. So each connection resolves it.
    dnsLookup: (host, callback) => callback(null, host),
  });
  cluster.on("error", () => undefined);
  cluster.on("+node", keepNode);
  return cluster;
}

/** Opens a connection to one node of a cluster, for channels of its slots. It subscribes to none by itself when it is connected again. */
export function connectNode(url: string, host: RedisHost): Redis {
  const address = { ...addressOf(url), hosts: [host] };
  return connectServer(address, "commands", { autoResubscribe: false });
}

function connectServer(
  address: RedisAddress,
  purpose: Purpose,
  more: { autoResubscribe?: boolean } = {},
): Redis {
  const options = { ...common, ...placeOf(address), ...nodeOptions(address), ...optionsFor[purpose] };
  const redis = new Redis({ ...options, ...more });
  // Without a listener every lost connection would be an uncaught error. ioredis reconnects by itself.
  redis.on("error", reportTls);
  endOnce(redis);
  askForLife(redis);
  if (purpose === "worker") letCopiesWait(redis);
  return redis;
}

/** Several answers at once may say that its server was demoted. The first of them ends it. */
function endOnce(redis: Redis): void {
  const disconnect = redis.disconnect.bind(redis);
  let isEnding = false;
  redis.on("connect", () => (isEnding = false));
  Object.assign(redis, {
    disconnect: (reconnect = false) => {
      if (reconnect && isEnding) return;
      isEnding = true;
      disconnect(reconnect);
    },
  });
}

/** A worker waits for jobs on copies of its connection, and asks for everything else on the connection itself. */
function letCopiesWait(redis: Redis): void {
  const duplicate = redis.duplicate.bind(redis);
  // Written so that two types of connections are never compared, which takes the type checker a second.
  Object.assign(redis, {
    duplicate: (override: Partial<RedisOptions>) =>
      duplicate<Partial<RedisOptions>>({ ...override, socketTimeout: SILENT_WORKER_MS }),
  });
  redis.options.socketTimeout = SILENT_MS;
}

function tlsOptions(caFile: string | undefined) {
  return caFile === undefined ? {} : { ca: readFileSync(caFile) };
}

let isReported = false;
/** Waiting does not help against a certificate that is not accepted, so the process says it, once. */
function reportTls(error: Error): void {
  const refused = tlsRefusal(error, "Redis");
  if (refused === null || isReported) return;
  isReported = true;
  process.emitWarning(refused.message);
}

/** A master of a cluster is connected when it is known, and not by the first of several commands: the others would fail. */
function keepNode(node: Redis): void {
  node.on("error", reportTls);
  askForLife(node);
  if (node.status === "wait" && node.options.readOnly !== true) node.connect().catch(() => undefined);
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

/** ioredis sends the command again that has led to the reconnection. */
const RESEND = 2;
const optionsFor = {
  commands: {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    socketTimeout: SILENT_MS,
  },
  subscribe: { maxRetriesPerRequest: null, socketTimeout: SILENT_MS },
  worker: {
    maxRetriesPerRequest: null,
    socketTimeout: SILENT_WORKER_MS,
    reconnectOnError: (error) => isDemoted(error) && RESEND,
  },
} satisfies Record<Purpose, RedisOptions>;
const common = {
  retryStrategy,
  connectTimeout: CONNECT_TIMEOUT_MS,
  reconnectOnError: isDemoted,
} satisfies RedisOptions;

const clusterOptionsFor = {
  // A command that was sent again might come after one that was sent later: a lock's release before the lock.
  commands: { enableOfflineQueue: false, retryDelayOnFailover: 0, retryDelayOnClusterDown: 0 },
  subscribe: {},
  // BullMQ waits for `connect` where a failover has cut it off. With the check, ioredis never settles that promise if the cluster
  // was not ready at the first attempt.
  worker: { maxRedirections: WORKER_REDIRECTIONS, enableReadyCheck: false },
} satisfies Record<Purpose, ClusterOptions>;

function retryStrategy(attempt: number): number {
  return Math.min(attempt * RETRY_STEP_MS, RETRY_MAX_MS);
}

/** A master that was demoted answers so. The next connection leads to the new one. */
function isDemoted(error: Error): boolean {
  return error.message.startsWith("READONLY");
}

function addressOf(url: string): RedisAddress {
  const address = parseRedisUrl(url);
  if (address === null) throw new Error("The address of Redis has an unknown form.");
  return address;
}

/** Where one server is, or the master that sentinels know. */
function placeOf({ path, hosts, masterName, sentinelPassword, tls, caFile, db }: RedisAddress) {
  if (path !== undefined) return { path };
  if (masterName === undefined) return { ...hosts[0], db };
  return {
    sentinels: hosts,
    name: masterName,
    db,
    // Sentinels report a new master at once.
    failoverDetector: true,
    sentinelRetryStrategy: retryStrategy,
    sentinelCommandTimeout: COMMAND_TIMEOUT_MS,
    enableTLSForSentinelMode: tls,
    ...(tls && { sentinelTLS: tlsOptions(caFile) }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  };
}

function nodeOptions({ username, password, tls, caFile }: RedisAddress) {
  return {
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(tls && { tls: tlsOptions(caFile) }),
  };
}

/** One line of INFO; null if Redis does not say it, or not to this user. */
export async function readInfo(redis: RedisClient, section: string, name: string): Promise<string | null> {
  const info = await redis.info(section).catch((error: Error) => {
    if (/NOPERM|no permissions/.test(error.message)) return "";
    throw error;
  });
  return new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? null;
}

/** Resolves when Redis answers, in a cluster each master of its slots. Rejects while one is away. */
export async function pingRedis(redis: RedisClient): Promise<void> {
  if (redis instanceof Redis) return pingServer(redis);
  const masters = new Map(
    redis.nodes("master").map((node) => [`${node.options.host}:${node.options.port}`, node]),
  );
  const owners = new Set(redis.slots.map(([owner]) => owner));
  const pings = [...owners].map((owner) => {
    const master = masters.get(owner ?? "");
    return master === undefined
      ? Promise.reject(new Error("A master of the cluster is away."))
      : pingServer(master);
  });
  const [state] = await Promise.all([redis.cluster("INFO"), ...pings]);
  if (!String(state).includes("cluster_state:ok")) throw new Error("The cluster does not have all slots.");
}

/** A server whose disk is full refuses even a PING, which is an answer. */
async function pingServer(server: Redis): Promise<void> {
  await server.ping().catch((error: Error) => {
    if (!error.message.startsWith("MISCONF")) throw error;
  });
}

/** How many keys there are, in a cluster on all of its masters. Waits for Redis as the connection does. */
export async function countKeys(redis: RedisClient): Promise<number> {
  if (redis instanceof Redis) return redis.dbsize();
  await redis.cluster("INFO");
  const counts = await Promise.all(redis.nodes("master").map((node) => node.dbsize()));
  return counts.reduce((sum, count) => sum + count, 0);
}

/** A connection on which every command fails at once: for work that must behave as if Redis were away. It never connects. */
export function unreachableRedis(): Redis {
  const redis = new Redis({ lazyConnect: true, enableOfflineQueue: false, retryStrategy: () => null });
  redis.on("error", () => undefined);
  redis.disconnect();
  return redis;
}
