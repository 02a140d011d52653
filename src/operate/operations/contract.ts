/** How many failed jobs are listed; the queue dashboard has the others. */
export const FAILED_JOBS_SHOWN = 25;
/** How many late timers, starts of processes and mails that could not be sent are listed. */
export const ROWS_SHOWN = 10;
/** A timer that is later than this is late: the sweep performs what no job has performed a second after its time. */
export const LATE_AFTER_MS = 2_000;

/** What the audit says of processes: that one has started ("web-1"), and that an admin has paused a queue or let it go on. */
export const START_ACTION = "start_process";
export const PAUSE_ACTION = "pause_queue";
export const RESUME_ACTION = "resume_queue";
/** And that a backup of each night was written, or could not be. */
export const BACKUP_ACTION = "write_backup";
export const BACKUP_FAILED_ACTION = "fail_backup";

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

/** All parts of the product that are watched, causes before what follows from them. src/operate/metrics looks at them. */
export const parts = [
  "database",
  "migrations",
  "writes",
  "rights",
  "redis",
  "broadcasts",
  "cable",
  "certificate",
  "address",
  "processes",
  "worker",
  "queues",
  "transactions",
  "rows",
  "timers",
  "settlements",
  "feed",
  "disk",
  "storage",
  "replica",
  "payments",
  "mails",
  "webhooks",
  "pushes",
  "traces",
  "backups",
  "books",
] as const;
export type Part = (typeof parts)[number];

/** What is wrong, in words, by the part with its state. */
export const troubleTitles: Readonly<Record<string, string>> = {
  "database away": "The database does not answer",
  "migrations pending": "The database is not prepared for this release",
  "writes refused": "The database takes no writes",
  "rights missing": "The database refuses some of what is asked",
  "redis away": "Redis does not answer",
  "redis refuses": "Redis refuses what is asked of it",
  "broadcasts stuck": "Nothing can be broadcast",
  "broadcasts deaf": "A process does not hear its own messages",
  "cable refused": "The proxy lets no sockets through",
  "certificate ending": "The certificate ends soon",
  "certificate ended": "The certificate has ended",
  "address unreachable": "The public address does not answer",
  "processes silent": "A process says nothing",
  "worker missing": "No worker runs",
  "queues paused": "A queue is paused",
  "transactions held": "A transaction keeps its locks",
  "rows failing": "Some work fails again and again",
  "timers late": "Actions are late",
  "settlements unpaid": "A result is not paid",
  "feed behind": "Pages are not told what happens",
  "disk full": "The disk is full",
  "storage refuses": "The storage of pictures refuses",
  "storage slow": "The storage of pictures is slow",
  "replica late": "The replica is late or away",
  "payments refused": "Payments cannot be taken",
  "payments unheard": "The payment provider's messages do not arrive",
  "payments slow": "The payment provider is slow",
  "mails waiting": "Mails are not sent",
  "webhooks failing": "A webhook takes no messages",
  "pushes waiting": "A push service takes no messages",
  "traces lost": "The collector takes no traces",
  "traces slow": "The collector is slow",
  "backups failed": "The last backup failed",
  "backups old": "No backup was written lately",
  "books differ": "The books differ",
};
