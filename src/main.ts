import { createDashboard } from "#jobs/dashboard.ts";
import { createQueues } from "#src/base/queues.ts";
import type { Deps } from "./base/deps.ts";
import { createLog, takeWarnings } from "./base/log.ts";
import { openDatabase } from "./base/open-database.ts";
import { connectRedis } from "./base/redis.ts";
import { followReplica } from "./base/replica.ts";
import { followDatabaseClock } from "./base/server-clock.ts";
import { watchRedis } from "./base/watch-redis.ts";
import { type Draining, type Ending, HANDOVER_SIGNAL } from "./http/draining.ts";
import { createHub, type Hub } from "./live/cable/hub.ts";
import { startRelayThread } from "./live/relay/start-relay-thread.ts";
import { Alerts } from "./operate/alerts/tell-operators.ts";
import { watchChecks } from "./operate/checks/watch-checks.ts";
import { serveMetrics } from "./operate/metrics/serve-metrics.ts";
import { recordProcess } from "./operate/work/starts.ts";
import { createStore } from "./people/storage/create-store.ts";
import { announceReady } from "./run/announce-ready.ts";
import { refuseOtherDatabase, reportChecks } from "./run/check-start.ts";
import { readEnvOrEnd } from "./run/refuse-start.ts";
import { refuseTakenRedis } from "./run/refuse-taken-redis.ts";
import { startTracing } from "./run/start-tracing.ts";
import { createServer } from "./server.ts";
import { listWarnings } from "./settings/refuse-unsafe.ts";
import { startSweep } from "./show/timers/sweep.ts";

/** After it has drained. */
const STOP_WITHIN_MS = 9_000;

// What starts several web processes, or one after the other, gives each a name: "web-1".
const givenName = process.argv[2];
const name = givenName ?? "web";
const env = await readEnvOrEnd(name);
const log = createLog(env, name);
takeWarnings(log);
const tracing = await startTracing(env, name);
const pool = openDatabase(env, log);
// A parent with a channel, such as `bun run start`, says it once for all its processes.
if (process.send === undefined) for (const sentence of listWarnings(env)) log.warn(sentence);
await refuseOtherDatabase(pool, log);
const replica = followReplica({ env, pool, log });
const clock = await followDatabaseClock(pool);
const redis = connectRedis(env.redisUrl, "commands");
const redisWatch = watchRedis(redis, env);
await refuseTakenRedis({ env, pool, redis, log });
const queueRedis = connectRedis(env.redisUrl, "commands");
const queues = createQueues(queueRedis);
const store = createStore(env.storage);
const relay = startRelayThread(log);
const deps: Deps = {
  env,
  pool,
  replica,
  redis,
  queues,
  store,
  log,
  notifyRelay: relay.notify,
  isRelayStuck: relay.isStuck,
  collector: tracing.collector,
  isDeaf: () => hub.isDeaf,
  redisTrouble: redisWatch.trouble,
};
const hub: Hub = createHub(deps);
const draining: Draining = { ending: null };
const server = createServer(deps, { hub, dashboard: createDashboard(queues), draining });
const sweep = startSweep(deps);
const metrics = serveMetrics(deps, name, hub);
const alerts = new Alerts(deps);
const checksWatch = watchChecks(deps, (look) => alerts.take(look));

// Processes with names share the port, as several processes do: the kernel distributes the connections. Any other one refuses a
// port that is taken.
const sharesPort = process.platform === "linux" && (givenName !== undefined || env.webConcurrency > 1);
server.listen({ port: env.port, hostname: env.host, reusePort: sharesPort });
log.info({ url: env.publicUrl, port: server.server?.port }, "listening");
announceReady();
void recordProcess(deps, "start_process", name);
// The first of several says it for all.
if (!/-([2-9]|\d\d+)$/.test(name)) void reportChecks(deps, redisWatch.usable);

process.once("SIGTERM", () => void stop("leaving"));
process.once("SIGINT", () => void stop("leaving"));
process.once(HANDOVER_SIGNAL, () => void stop("handing over"));

/** Drains, closes the port, disconnects the sockets, finishes running requests, and exits. See http/draining.ts. */
async function stop(ending: Ending): Promise<void> {
  if (draining.ending !== null) return;
  draining.ending = ending;
  log.info({ ending }, "stopping");
  // The pool is closed once it is written.
  void recordProcess(deps, "stop_process", name);
  setTimeout(() => {
    log.error("did not stop in time");
    process.exit(1);
  }, env.drainMs + STOP_WITHIN_MS).unref();
  // The port is its successor's.
  await metrics.stop();
  await checksWatch.stop();
  await Bun.sleep(env.drainMs);
  const answered = server.server?.stop();
  await hub.stop();
  await answered;
  await sweep.stop();
  await relay.stop();
  await queues.close();
  clock.stop();
  await replica?.stop();
  await pool.close();
  redisWatch.stop();
  redis.disconnect();
  queueRedis.disconnect();
  await tracing.stop();
  log.info("stopped");
  process.exit(0);
}
