import type { Deps } from "#src/base/deps.ts";
import { createLog, takeWarnings } from "#src/base/log.ts";
import { openDatabase } from "#src/base/open-database.ts";
import { createQueues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { followDatabaseClock } from "#src/base/server-clock.ts";
import { type RedisWatch, watchRedis } from "#src/base/watch-redis.ts";
import { startRelayThread } from "#src/live/relay/start-relay-thread.ts";
import { Alerts } from "#src/operate/alerts/tell-operators.ts";
import { watchChecks } from "#src/operate/checks/watch-checks.ts";
import { serveMetrics } from "#src/operate/metrics/serve-metrics.ts";
import { recordProcess } from "#src/operate/work/starts.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { announceReady } from "#src/run/announce-ready.ts";
import { reportChecks, untilPrepared } from "#src/run/check-start.ts";
import { readEnvOrEnd } from "#src/run/refuse-start.ts";
import { refuseTakenRedis } from "#src/run/refuse-taken-redis.ts";
import { startTracing } from "#src/run/start-tracing.ts";
import type { Env } from "#src/settings/env.ts";
import { startSweep } from "#src/show/timers/sweep.ts";
import { startDemo } from "./demo/start-demo.ts";
import { startSchedule } from "./schedule.ts";
import { causeOf, startWorkers } from "./workers.ts";

/** A job that is not done by then is left to the next process: every job may run again. */
const DRAIN_WITHIN_MS = 10_000;

const env = await readEnvOrEnd("worker");
const log = createLog(env, "worker");
takeWarnings(log);
const tracing = await startTracing(env, "worker");
const { deps, relay, redisWatch, disconnect } = await connectAll(env);
await followDatabaseClock(deps.pool);
const workerConnection = connectRedis(env.redisUrl, "worker");
const workers = startWorkers(deps, workerConnection);
for (const worker of workers) {
  worker.on("error", (error) => log.debug({ err: error }, "a worker lost its connection to Redis"));
  worker.on("failed", (job, error) => {
    const requestId = job === undefined ? undefined : causeOf(job)?.requestId;
    log.warn({ err: error, job: job?.id, requestId }, "a job failed");
  });
}
const alerts = new Alerts(deps);
const parts = [
  serveMetrics(deps, "worker"),
  startSweep(deps),
  startSchedule(deps),
  watchChecks(deps, (look) => alerts.take(look)),
  ...(env.demo ? [startDemo(deps)] : []),
];
// What needs no Redis, such as the sweep, is done in any case.
announceReady();
void redisWatch.usable.then(() => log.info("worker is ready"));
void recordProcess(deps, "start_process", "worker");
void reportChecks(deps, redisWatch.usable);

process.once("SIGTERM", () => void shutDown());
process.once("SIGINT", () => void shutDown());

async function connectAll(settings: Env): Promise<{
  deps: Deps;
  relay: { stop: () => Promise<void> };
  redisWatch: RedisWatch;
  disconnect: () => Promise<void>;
}> {
  const pool = openDatabase(settings, log);
  const redis = connectRedis(settings.redisUrl, "commands");
  const watch = watchRedis(redis, settings);
  // Without its tables a worker could do nothing, and would say that it is ready.
  await untilPrepared(pool, log);
  await refuseTakenRedis({ env: settings, pool, redis, log });
  const queueConnection = connectRedis(settings.redisUrl, "commands");
  const queues = createQueues(queueConnection);
  const outboxRelay = startRelayThread(log);
  return {
    deps: {
      env: settings,
      pool,
      redis,
      queues,
      store: createStore(settings.storage),
      log,
      notifyRelay: outboxRelay.notify,
      sendsMails: true,
      isRelayStuck: outboxRelay.isStuck,
      collector: tracing.collector,
      redisTrouble: watch.trouble,
    },
    relay: outboxRelay,
    redisWatch: watch,
    disconnect: async () => {
      watch.stop();
      await queues.close();
      for (const connection of [redis, queueConnection]) connection.disconnect();
      await pool.close();
    },
  };
}

/** Finishes the running jobs, broadcasts their facts, then closes the connections. */
async function shutDown(): Promise<void> {
  log.info("worker is stopping");
  void recordProcess(deps, "stop_process", "worker");
  setTimeout(() => process.exit(1), DRAIN_WITHIN_MS).unref();
  await Promise.all(workers.map((worker) => worker.close()));
  // The others hear from this process until its last job is done.
  await Promise.all(parts.map((part) => part.stop()));
  await relay.stop();
  workerConnection.disconnect();
  await disconnect();
  await tracing.stop();
  process.exit(0);
}
