const titles = {
  "database away": "The database does not answer",
  "migrations pending": "The database is not prepared for this release",
  "clock apart": "The clock of a machine is wrong",
  "writes refused": "The database takes no writes",
  "disk full": "A disk is full",
  "disk scarce": "A disk is nearly full",
  "memory scarce": "Memory is nearly used up",
  "connections scarce": "Postgres has few connections left",
  "redis-memory scarce": "The memory of Redis is nearly used up",
  "evictions allowed": "Redis may drop alarms and messages",
  "descriptors scarce": "A process has few descriptors left",
  "starts repeating": "A process starts again and again",
  "rights missing": "The database refuses some of what is asked",
  "redis away": "Redis does not answer",
  "redis refuses": "Redis refuses what is asked of it",
  "broadcasts stuck": "Nothing can be broadcast",
  "broadcasts deaf": "A process does not hear its own messages",
  "names missing": "The name server does not find the public address",
  "certificate ending": "The certificate ends soon",
  "certificate ended": "The certificate has ended",
  "address unreachable": "The public address does not answer",
  "cable refused": "The proxy lets no sockets through",
  "proxy sharing": "All players have one address",
  "proxy buffering": "The proxy keeps pages until they are whole",
  "processes silent": "A process says nothing",
  "worker missing": "No worker runs",
  "jobs elsewhere": "A process and the worker use different Redis",
  "queues paused": "A queue is paused",
  "transactions held": "A transaction keeps its locks",
  "rows failing": "Some work fails again and again",
  "timers late": "Actions are late",
  "settlements unpaid": "A result is not paid",
  "feed behind": "Pages are not told what happens",
  "storage refuses": "The storage of pictures refuses",
  "storage slow": "The storage of pictures is slow",
  "replica late": "The replica is late or away",
  "payments refused": "Payments cannot be taken",
  "payments unheard": "The payment provider's messages do not arrive",
  "payments slow": "The payment provider is slow",
  "smtp unset": "No mail server is set",
  "mails waiting": "Mails are not sent",
  "webhooks failing": "A webhook takes no messages",
  "pushes waiting": "A push service takes no messages",
  "traces lost": "The collector takes no traces",
  "traces slow": "The collector is slow",
  "backups failed": "The last backup failed",
  "backups old": "No backup was written lately",
  "books differ": "The books differ",
} as const;

/** What is wrong, in words, by the part with its state. Causes stand before what follows from them. */
export const checkTitles: Readonly<Record<string, string>> = titles;

/** The sweep broadcasts within a second what nobody was notified of. Later pages are behind. */
export const FEED_BEHIND_MS = 3_000;

/** The parts that processes watch. */
export type Part = keyof typeof titles extends `${infer Name} ${string}` ? Name : never;
