/** The queues of jobs, by their names in Redis and on the dashboard. `jobs/queues.ts` says what each carries. */
export const queueNames = [
  "transitions",
  "settlements",
  "mails",
  "pictures",
  "link-pictures",
  "dry-runs",
  "webhooks",
  "push-fan-outs",
  "pushes",
] as const;
export type QueueName = (typeof queueNames)[number];
