import { Worker } from "bullmq";
import { workers } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";

// A process that does the jobs of the queue that its first argument names: it does nothing. Its second argument is the URL of Redis.

const [queue = "", redisUrl = ""] = process.argv.slice(2);
const worker = new Worker(queue, () => Promise.resolve(), {
  connection: connectRedis(redisUrl, "worker"),
  ...workers.setAlarm.options,
});
await worker.waitUntilReady();
process.send?.("ready");
