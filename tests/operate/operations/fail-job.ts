import { startWorker } from "#jobs/workers.ts";
import type { Deps } from "#src/base/deps.ts";
import { connectRedis } from "#src/base/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** Adds a job that a worker cannot do, because its data is broken, and waits until it has failed. */
export async function failJob(deps: Deps) {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker("makeAvatar", deps, connection);
  const job = await deps.queues.byName.pictures.add("make_avatar", { userId: "nobody" });
  await waitFor("the job to fail", async () => (await job.getState()) === "failed");
  await worker.close();
  connection.disconnect();
  return job;
}
