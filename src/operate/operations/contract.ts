/** How many troubles, starts of processes and mails that could not be sent are listed. */
export const ROWS_SHOWN = 10;

/** What the audit says of queues: that an admin has paused one or let it go on. */
export const PAUSE_ACTION = "pause_queue";
export const RESUME_ACTION = "resume_queue";

/** The queues that may be paused. The game's own, its timers and payments, may not: the sweep would go on with them anyway. */
export const pausableQueues = [
  "mails",
  "webhooks",
  "push-fan-outs",
  "pushes",
  "pictures",
  "link-pictures",
  "dry-runs",
] as const;
