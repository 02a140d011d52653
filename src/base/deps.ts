import type { Logger } from "pino";
import type { DatabasePool } from "#db/client.ts";
import type { Env } from "#src/settings/env.ts";
import type { Queues } from "./queues.ts";
import type { RedisClient } from "./redis.ts";
import type { Replica } from "./replica.ts";
import type { Service } from "./service-watch.ts";
import type { Store } from "./store.ts";
import type { RedisTrouble } from "./watch-redis.ts";

/** What every verb gets. Created once per process (src/main.ts, jobs/main.ts) and per test. */
export type Deps = {
  env: Env;
  pool: DatabasePool;
  /** For reads that may be a little late (src/http/read-late.ts). Web processes have it, if the settings name one. */
  replica?: Replica | undefined;
  /** For commands that must fail fast while Redis is away: locks, publishing. */
  redis: RedisClient;
  /** Sets alarms. Whether a moment has come is decided by the database's clock, not by the queue. */
  queues: Queues;
  /** Holds the bytes of uploads. */
  store: Store;
  log: Logger;
  /** Notifies this process's relay that facts were committed to the outbox. Returns at once. */
  notifyRelay: () => void;
  /** This process sends the mails: a worker. The others may be without SMTP_URL. */
  sendsMails?: true;
  /** What is wrong with Redis, as far as this process has found out; null: nothing. */
  redisTrouble?: () => RedisTrouble | null;
  /** True while this process's relay could broadcast nothing for 3 s. Processes without a relay leave it out. */
  isRelayStuck?: () => boolean;
  /** What gets the traces, if the settings name it. */
  collector?: Service | undefined;
  /** True while messages do not reach the sockets of this web process. */
  isDeaf?: () => boolean;
  /** Of the process that looks at the product as a whole for all others (operate/checks/watch-checks.ts). */
  hasTurn?: boolean;
};
