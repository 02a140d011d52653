import { describeIdle, findIdleTransactions } from "#db/idle-transactions.ts";
import { readDatabaseState } from "#db/migrate.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { isDiskFull, storedFolders } from "#src/base/disk-space.ts";
import { pingRedis } from "#src/base/redis.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { countWaitingMails } from "#src/mail/waiting-mails.ts";

// Decision: /ready decides about traffic alone. A process is ready while it can answer pages and calls, and proxies may use it. All else
// that is wrong is degraded: /ready says it in its answer, /metrics in called_it_degraded, and the alert Degraded tells operators.

/** How many rows are named; /admin lists more. */
const FAILING_NAMED = 3;

/** One part that a process checks when it is asked whether it is ready. */
export type ReadinessCheck = {
  /** As /ready and called_it_degraded name it. */
  part: string;
  /** True: without this part nothing can be served, so the process is not ready. False: it serves, and is degraded. */
  needed: boolean;
  /** What it means, and what an operator does about it. */
  cure: string;
  /** The state of a part whose check fails or takes too long. */
  silent: string;
  /** The state in one word: "ok", "unknown" where it cannot be known, or what is wrong. `detail`: what observers read about it. */
  check: (deps: Deps) => Promise<string | { state: string; detail: string }>;
};

/** All that /ready checks. A new part needs its entry here, and nothing else. */
export const readinessChecks: readonly ReadinessCheck[] = [
  {
    part: "database",
    needed: true,
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
    cure:
      "Pages work and are not live, timers are up to a second late, and mails and push messages wait. Start Redis, or correct " +
      "REDIS_URL. If it refuses, the log of the process says what, and the cure.",
    silent: "away",
    check: async ({ redis, redisTrouble }) => {
      await pingRedis(redis);
      // It answers, and lacks a right or takes no writes: the log has the cure.
      return (redisTrouble?.() ?? null) === null ? "ok" : "refuses";
    },
  },
  {
    part: "broadcasts",
    needed: false,
    cure:
      "Pages ask instead of hearing. Stuck: nothing could be broadcast for 3 s; the log says why, mostly Redis takes no writes, because " +
      "its memory (maxmemory) or its disk is full, or because it is a replica. Deaf: messages do not come back from Redis; it is away " +
      "or frozen, or the network between loses packets.",
    silent: "unknown",
    check: ({ isRelayStuck, isDeaf }) => {
      if (isRelayStuck?.() === true) return Promise.resolve("stuck");
      return Promise.resolve(isDeaf?.() === true ? "deaf" : "ok");
    },
  },
  {
    part: "transactions",
    needed: false,
    cure:
      "A transaction keeps its locks while its process says nothing: the process is frozen, or its host is lost. What it holds waits. The " +
      "database, or another process, ends it after 4 s. One that stays is of another program: end it with pg_terminate_backend.",
    silent: "unknown",
    check: async ({ pool }) => {
      const idle = await findIdleTransactions(pool.db);
      return idle.length === 0 ? "ok" : { state: "held", detail: `${idle.map(describeIdle).join(". ")}.` };
    },
  },
  {
    part: "rows",
    needed: false,
    cure:
      "The work for a row fails again and again, and is tried again with growing pauses, up to 5 minutes; all others go on. /admin says " +
      "which row and why. It is a bug, or a row that somebody changed: report it with the log.",
    silent: "unknown",
    check: async ({ pool }) => {
      const failing = await listFailingRows(pool.db, FAILING_NAMED);
      const lines = failing.map(
        ({ kind, rowId, attempts, reason }) => `${kind} ${rowId} failed ${attempts} times: ${reason}`,
      );
      return failing.length === 0 ? "ok" : { state: "failing", detail: lines.join("\n") };
    },
  },
  {
    part: "disk",
    needed: false,
    cure: "Less than 64 MB are free where DATA_DIR is, so that writing is about to fail. Make room.",
    silent: "ok",
    check: async ({ env }) => ((await isDiskFull(storedFolders(env))) ? "full" : "ok"),
  },
  {
    part: "storage",
    needed: false,
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
    cure:
      "The replica of DATABASE_REPLICA_URL is away or more than 2 s behind, so the primary answers its reads too. Check its server and " +
      "the replication.",
    silent: "unknown",
    check: ({ replica }) => Promise.resolve(replica?.pool() === null ? "late" : "ok"),
  },
  {
    part: "worker",
    needed: false,
    cure:
      "No worker takes jobs. Web processes make transitions and payments, up to a second late; mails, push messages, webhooks and " +
      "pictures wait. Start the worker, and read the end of its log.",
    // Redis is away, or lists no clients.
    silent: "unknown",
    check: async ({ queues }) =>
      // One process has the workers of all queues.
      (await queues.byName.transitions.getWorkersCount()) === 0 ? "missing" : "ok",
  },
  {
    part: "mails",
    needed: false,
    cure: "Mails were not sent. /admin says why, and sends them again: look at the mail server and at SMTP_URL.",
    silent: "unknown",
    check: async ({ pool }) => ((await countWaitingMails(pool.db)) === 0 ? "ok" : "waiting"),
  },
];
