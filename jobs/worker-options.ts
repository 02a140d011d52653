import type { WorkerOptions } from "bullmq";

/** For workers whose jobs take milliseconds and must not wait half a minute when a worker died with them. */
export const timerOptions = {
  // What rings together is done together: alarms that close events share transactions.
  concurrency: 256,
  lockDuration: 5_000,
  stalledInterval: 3_000,
  maxStalledCount: 5,
} satisfies Omit<WorkerOptions, "connection">;

/** For settlements that are paid in parts: each takes about a core of the database. */
export const payingOptions = {
  concurrency: 1,
  lockDuration: 10_000,
  stalledInterval: 5_000,
  maxStalledCount: 5,
} satisfies Omit<WorkerOptions, "connection">;

/** For mails: a mail server may take its time, and a mail that was sent twice cannot be taken back. */
export const mailOptions = {
  concurrency: 5,
  lockDuration: 30_000,
  stalledInterval: 30_000,
  maxStalledCount: 5,
} satisfies Omit<WorkerOptions, "connection">;
