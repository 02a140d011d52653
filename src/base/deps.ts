import type { Redis } from "ioredis";
import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import type { Queues } from "#jobs/queues.ts";
import type { Env } from "#src/settings/env.ts";
import type { Store } from "./store.ts";

/** What every verb is given. One is made per process (src/main.ts, jobs/main.ts) and per test. */
export type Deps = {
  env: Env;
  pool: DatabasePool;
  /** For commands that must fail fast while Redis is away: locks, publishing. */
  redis: Redis;
  /** Sets alarms; never the judge of time. */
  queues: Queues;
  /** Where the bytes of uploads are. */
  store: Store;
  log: Logger;
  /** Asks this process's relay to tell what was just committed to the outbox. Returns at once. */
  notifyRelay: () => void;
};
