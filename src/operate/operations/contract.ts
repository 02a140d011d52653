import { type QueueName, queueNames } from "#db/lists/queues.ts";

/** How many rows of each kind are listed, and how many lines of what has happened are on a page. */
export const ROWS_SHOWN = 10;
export const HAPPENED_SHOWN = 30;
/** For how many days what has happened is listed: troubles are kept no longer. */
export const HAPPENED_DAYS = 30;

/** What the audit says of queues: that an admin has paused one, let it go on, or had its failed jobs run again. */
export const PAUSE_ACTION = "pause_queue";
export const RESUME_ACTION = "resume_queue";
export const RETRY_ACTION = "retry_jobs";

/**
 * What people call each queue, here and on the queue dashboard, and whether it may be paused. The game's own, its timers and payments,
 * may not: the sweep would go on with them anyway.
 */
const queues: Readonly<Record<QueueName, { title: string; mayPause: boolean }>> = {
  "dry-runs": { title: "Dry runs", mayPause: true },
  transitions: { title: "Event timers", mayPause: false },
  mails: { title: "Mails", mayPause: true },
  settlements: { title: "Payments of results", mayPause: false },
  pictures: { title: "Pictures", mayPause: true },
  "link-pictures": { title: "Pictures of links", mayPause: true },
  pushes: { title: "Push messages", mayPause: true },
  "push-fan-outs": { title: "Recipients of push messages", mayPause: true },
  webhooks: { title: "Webhooks", mayPause: true },
};

function findQueue(queue: string) {
  const known = queueNames.find((name) => name === queue);
  return known === undefined ? undefined : queues[known];
}

/** What people call a queue; its name for one of a newer release. */
export const queueTitle = (queue: string): string => findQueue(queue)?.title ?? queue;

export const mayPause = (queue: string): boolean => findQueue(queue)?.mayPause ?? false;
