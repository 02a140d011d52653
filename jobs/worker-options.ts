import type { WorkerOptions } from "bullmq";

/** For workers whose jobs take milliseconds and must not wait half a minute when a worker died with them. */
export const timerOptions = {
  concurrency: 20,
  lockDuration: 5_000,
  stalledInterval: 3_000,
  maxStalledCount: 5,
} satisfies Omit<WorkerOptions, "connection">;
