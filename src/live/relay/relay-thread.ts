import { parentPort } from "node:worker_threads";
import { createLog, takeWarnings } from "#src/base/log.ts";
import { openDatabase } from "#src/base/open-database.ts";
import { createQueues } from "#src/base/queues.ts";
import { connectRedis } from "#src/base/redis.ts";
import { readEnv } from "#src/settings/env.ts";
import { createRelay } from "./relay-outbox.ts";

// The thread that start-relay-thread.ts starts: a relay with connections of its own. It gets "notify" and "stop", and replies
// "stopped" when the running broadcasts are done. It says "stuck" when it can broadcast nothing, and "flows" when it can again.

const LOOK_EVERY_MS = 250;

const env = readEnv();
const log = createLog(env, "relay");
takeWarnings(log);
const pool = openDatabase(env, log);
const [redis, queueRedis] = [connectRedis(env.redisUrl, "commands"), connectRedis(env.redisUrl, "commands")];
const queues = createQueues(queueRedis);
const relay = createRelay({ env, pool, redis, queues, log });

let wasStuck = false;
setInterval(() => {
  if (relay.isStuck() === wasStuck) return;
  wasStuck = !wasStuck;
  parentPort?.postMessage(wasStuck ? "stuck" : "flows");
}, LOOK_EVERY_MS).unref();

parentPort?.on("message", (message) => {
  if (message === "notify") return relay.notify();
  void stop();
});

async function stop(): Promise<void> {
  await relay.stop();
  await queues.close();
  await pool.close();
  for (const connection of [redis, queueRedis]) connection.disconnect();
  parentPort?.postMessage("stopped");
}
