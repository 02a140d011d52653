/** The queues of jobs, by their names in Redis, in the order of their titles. `src/base/queues.ts` says what each carries. */
export const queueNames = [
  "dry-runs",
  "transitions",
  "mails",
  "settlements",
  "pictures",
  "link-pictures",
  "pushes",
  "push-fan-outs",
  "webhooks",
] as const;
export type QueueName = (typeof queueNames)[number];
