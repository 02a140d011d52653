import { readDatabaseState } from "#db/migrate.ts";
import { explainError } from "#src/base/describe-error.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { pingRedis } from "#src/base/redis.ts";
import { pushServices } from "#src/people/push/push-services.ts";
import type { ReadinessCheck } from "./readiness-check.ts";
import { workChecks } from "./work-checks.ts";

// Decision: /ready decides about traffic alone. A process is ready while it can answer pages and calls, and proxies may use it. All else
// that is wrong is degraded. One list says what is checked: /ready says it in its answer, /metrics in called_it_degraded, the log and
// the operators' home as soon as it goes and comes back (watch-parts.ts), and the alerts tell who sleeps.

const REDIS_REFUSES =
  "Redis answers, and does not do what is asked of it. Calls and pages work and are not live; mails and push messages wait. What to change " +
  "stands below.";
/** Below the time that a check has: then the cause can be said. */
const PING_WITHIN_MS = 900;

const partChecks: readonly ReadinessCheck[] = [
  {
    part: "database",
    needed: true,
    shared: false,
    cure: "Start Postgres, or correct DATABASE_URL.",
    silent: "away",
    check: async ({ pool }) => {
      await pool.sql`SELECT 1`;
      return "ok";
    },
  },
  {
    part: "migrations",
    needed: true,
    shared: false,
    cure: "Run the migration: bun src/run/migrate.ts.",
    silent: "away",
    check: async ({ pool }) => {
      const { pendingMigrations, sql } = await readDatabaseState(pool.db);
      // A newer release may have changed the database. This process keeps serving until it is replaced.
      return pendingMigrations.length === 0 && sql !== "pending" ? "ok" : "pending";
    },
  },
  {
    part: "redis",
    needed: false,
    shared: false,
    cure:
      "Pages work and are not live, timers are up to a second late, and mails and push messages wait. Start Redis, or correct " +
      "REDIS_URL.",
    silent: "away",
    // src/base/watch-redis.ts
    logged: true,
    check: async ({ redis, redisTrouble }) => {
      const trouble = redisTrouble?.() ?? null;
      try {
        await Promise.race([
          pingRedis(redis),
          Bun.sleep(PING_WITHIN_MS).then(() => Promise.reject(new Error("Silent"))),
        ]);
      } catch {
        return trouble === null ? "away" : { state: "away", detail: trouble };
      }
      // It answers, and lacks a right or takes no writes.
      return trouble === null ? "ok" : { state: "refuses", detail: trouble, cure: REDIS_REFUSES };
    },
  },
  {
    part: "broadcasts",
    needed: false,
    shared: false,
    cure:
      "Pages ask instead of hearing. Stuck: nothing could be broadcast for 3 s; the log says why, mostly Redis takes no writes, because " +
      "its memory (maxmemory) or its disk is full, or because it is a replica. Deaf: messages do not come back from Redis; it is away " +
      "or frozen, or the network between loses packets.",
    silent: "unknown",
    follows: ["redis"],
    check: ({ isRelayStuck, isDeaf }) => {
      if (isRelayStuck?.() === true) return Promise.resolve("stuck");
      return Promise.resolve(isDeaf?.() === true ? "deaf" : "ok");
    },
  },
  {
    part: "disk",
    needed: false,
    shared: false,
    cure: "Less than 64 MB are free where DATA_DIR is, so that writing is about to fail. Make room.",
    silent: "ok",
    check: async ({ env }) => ((await isDiskFull(storedFolders(env))) ? "full" : "ok"),
  },
  {
    part: "storage",
    needed: false,
    shared: false,
    cure: "The storage refuses what it is asked, so pictures are answered with 503, or discarded ones stay. Correct the storage, or STORAGE.",
    silent: "unknown",
    check: ({ store }) => {
      const trouble = store.trouble();
      return Promise.resolve(trouble === null ? "ok" : { state: "refuses", detail: explainError(trouble) });
    },
  },
  {
    part: "replica",
    needed: false,
    shared: false,
    cure:
      "The replica of DATABASE_REPLICA_URL is away or more than 2 s behind, so the primary answers its reads too. Check its server and " +
      "the replication.",
    silent: "unknown",
    check: ({ replica }) => Promise.resolve(replica?.pool() === null ? "late" : "ok"),
  },
  {
    part: "pushes",
    needed: false,
    shared: false,
    cure:
      "A push service does not take messages. They are tried again until they are too old, and are sent as soon as it answers. If all " +
      "services are away, see whether this machine reaches the internet.",
    silent: "unknown",
    check: () => {
      const trouble = pushServices.trouble();
      return Promise.resolve(trouble === null ? "ok" : { state: "waiting", detail: trouble });
    },
  },
];

/** All that is checked, causes before what follows from them. A new part needs its entry here or in work-checks.ts, and nothing else. */
export const readinessChecks: readonly ReadinessCheck[] = [...partChecks, ...workChecks];
