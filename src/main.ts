import { createDashboard } from "#jobs/dashboard.ts";
import { createQueues } from "#jobs/queues.ts";
import type { Deps } from "./base/deps.ts";
import { createLog } from "./base/log.ts";
import { openDatabase } from "./base/open-database.ts";
import { connectRedis } from "./base/redis.ts";
import { followDatabaseClock } from "./base/server-clock.ts";
import { createHub } from "./cable/hub.ts";
import { recordStart } from "./operations/process-starts.ts";
import { startRelayThread } from "./relay/start-relay-thread.ts";
import { refuseOlderProgram } from "./run/refuse-older-program.ts";
import { createServer } from "./server.ts";
import { readEnv } from "./settings/env.ts";
import { createStore } from "./storage/create-store.ts";
import { startSweep } from "./timers/sweep.ts";

/** Below the 10 s that process managers usually wait before they kill. */
const STOP_WITHIN_MS = 9_000;

const env = readEnv();
// `bun run start` gives each of several web processes a name: "web-1".
const name = process.argv[2] ?? "web";
const log = createLog(env, name);
const pool = openDatabase(env, log);
await refuseOlderProgram(pool, log);
const clock = await followDatabaseClock(pool);
const redis = connectRedis(env.redisUrl, "commands");
const queueRedis = connectRedis(env.redisUrl, "commands");
const queues = createQueues(queueRedis);
const store = createStore(env.storage);
const relay = startRelayThread(log);
const deps: Deps = { env, pool, redis, queues, store, log, notifyRelay: () => relay.notify() };
const hub = createHub(deps);
const server = createServer(deps, { hub, dashboard: createDashboard(queues) });
const sweep = startSweep(deps);

// Several web processes share the port: the kernel distributes the connections. One alone refuses a port that is taken.
server.listen({ port: env.port, hostname: env.host, reusePort: env.webProcesses > 1 });
log.info({ url: env.publicUrl, port: server.server?.port }, "listening");
// For a process that started this one with a channel for messages: `bun run start`, for example.
process.send?.("ready");
void recordStart(deps, name);

process.once("SIGTERM", () => void stop());
process.once("SIGINT", () => void stop());

/** Stops accepting requests, disconnects the sockets, finishes running requests, and exits. */
async function stop(): Promise<void> {
  log.info("stopping");
  setTimeout(() => {
    log.error("did not stop in time");
    process.exit(1);
  }, STOP_WITHIN_MS).unref();
  const answered = server.server?.stop();
  await hub.stop();
  await answered;
  await sweep.stop();
  await relay.stop();
  await queues.close();
  clock.stop();
  await pool.close();
  redis.disconnect();
  queueRedis.disconnect();
  log.info("stopped");
  process.exit(0);
}
