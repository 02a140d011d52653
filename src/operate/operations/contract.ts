import { type QueueName, queueNames } from "#db/lists/queues.ts";

/** How many troubles, starts of processes and mails that could not be sent are listed. */
export const ROWS_SHOWN = 10;

/** What the audit says of queues: that an admin has paused one or let it go on. */
export const PAUSE_ACTION = "pause_queue";
export const RESUME_ACTION = "resume_queue";

const pausable: Readonly<Record<QueueName, boolean>> = {
  transitions: false,
  settlements: false,
  mails: true,
  pictures: true,
  "link-pictures": true,
  "dry-runs": true,
  webhooks: true,
  "push-fan-outs": true,
  pushes: true,
};

/** Whether a queue may be paused. The game's own, its timers and payments, may not: the sweep would go on with them anyway. */
export function mayPause(queue: string): boolean {
  return queueNames.some((name) => name === queue && pausable[name]);
}
