import { startWorker } from "#jobs/workers.ts";
import type { Deps } from "#src/base/deps.ts";
import { connectRedis } from "#src/base/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** Starts a worker that takes the jobs of this kind. @returns stops it. */
export function startWorking(deps: Deps, kind: Parameters<typeof startWorker>[0]): () => Promise<void> {
  const connection = connectRedis(deps.env.redisUrl, "worker");
  const worker = startWorker(kind, deps, connection);
  return async () => {
    await worker.close();
    connection.disconnect();
  };
}

export async function untilFailed(...jobs: { getState: () => Promise<string> }[]): Promise<void> {
  for (const job of jobs) await waitFor("the job to fail", async () => (await job.getState()) === "failed");
}

/** Adds a job that a worker cannot do, because its data is broken, and waits until it has failed. */
export async function failJob(deps: Deps) {
  const stop = startWorking(deps, "makeAvatar");
  const job = await deps.queues.byName.pictures.add("make_avatar", { userId: "nobody" });
  await untilFailed(job);
  await stop();
  return job;
}
