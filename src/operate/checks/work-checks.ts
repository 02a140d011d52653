import { addressOf, isPooled } from "#db/address.ts";
import type { Queryable } from "#db/client.ts";
import { describeIdle, findIdleTransactions, findSilentProcesses } from "#db/idle-transactions.ts";
import { type DueRows, findUnsent } from "#src/base/due-rows.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { findLastCheck } from "#src/books/show-books.ts";
import { mailRows } from "#src/mail/write-mail.ts";
import { findArchiveTrouble, findBackupTrouble } from "#src/operate/work/backups.ts";
import { findLateSettlements, findLateTimers, readBehindMs } from "#src/operate/work/late-work.ts";
import { findWorkers } from "#src/operate/work/queues.ts";
import { findRefusedStarts, findRepeatedStarts } from "#src/operate/work/starts.ts";
import { pushRows } from "#src/people/push/deliver-push.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { listFailingWebhooks } from "#src/webhooks/find-webhook.ts";
import { type Finding, listed, watched } from "./check.ts";
import { FEED_BEHIND_MS, type Part } from "./contract.ts";
import { ofDatabase } from "./database-checks.ts";

/** What keeps the work of the game from being done, and that of jobs, which wait for a worker too. */
const ofWork: readonly Part[] = [...ofDatabase, "processes", "transactions", "rows"];
const ofJobs: readonly Part[] = [...ofDatabase, "redis", "processes", "worker", "queues", "names"];

/** How many rows are named; /admin lists more. */
const NAMED = 3;

/** What waits of the rows that are sent to another server. */
async function waitingOf(db: Queryable, rows: DueRows, state = "waiting"): Promise<Finding> {
  const { waiting, reason } = await findUnsent(db, rows);
  const said = `${waiting} ${waiting === 1 ? "waits" : "wait"}. ${reason ?? ""}`.trim();
  return listed(state, waiting === 0 ? [] : [said]);
}

const inSeconds = (ms: number) => `${Math.round(ms / 1_000)} s`;

const REFUSED_CURE =
  "A process that should run has refused to start, for the reason above; the others go on. Do what it says, and start it. Nothing is said any " +
  "more when it has started, or an hour after it has tried last.";

/** Whether what does the work is there. */
const ofProcesses = watched("own", [
  {
    part: "processes",
    seenBy: "all",
    cure: "A process is connected and says nothing: it is stopped, its machine sleeps or has no CPU for it, or its host is lost. The others free what it holds and do its work; pages and calls that a proxy sends to it hang, and a worker's mails, push messages, webhooks and pictures wait. systemd ends one of its units after 10 s. Elsewhere let it go on (`kill -CONT` with its number), or end it (`kill -KILL`), and what started it starts another.",
    follows: ["database"],
    find: async ({ env, pool }) => {
      // The names of connections say nothing there.
      if (isPooled(addressOf(env.databaseUrl))) return "unknown";
      const silent = await findSilentProcesses(pool.db);
      return listed(
        "silent",
        silent.map(({ process, silentMs }) => `${process} has said nothing for ${inSeconds(silentMs)}.`),
      );
    },
  },
  {
    part: "worker",
    seenBy: "all",
    cure: "No worker takes jobs. Web processes make transitions and payments, up to a second late; mails, push messages, webhooks and pictures wait. Start the worker, and read the end of its log.",
    follows: ["database", "migrations", "redis", "processes"],
    find: async (deps) => {
      const { count, elsewhere } = await findWorkers(deps, null);
      if (count > 0) return "ok";
      return elsewhere.length === 0 ? "missing" : "unknown";
    },
  },
  {
    part: "jobs",
    cure: "Postgres has a worker that takes no jobs from the Redis of this process: one of the two uses another Redis. What this process does late is done a second later still, its mails and push messages wait, and pages of other processes do not hear of it. Compare REDIS_URL on all machines, and set the same everywhere; if it is the same, restart the worker.",
    follows: ["database", "redis"],
    find: async (deps) => {
      const { elsewhere } = await findWorkers(deps, null);
      const lines = elsewhere.flatMap(({ process, isStarting }) =>
        isStarting ? [] : [`${process} takes no jobs from the Redis of this process.`],
      );
      return listed("elsewhere", lines);
    },
  },
]);

/** The work, which one process sees for all. */
const ofProduct = watched("one", [
  {
    part: "starts",
    follows: ["database", "memory", "disk"],
    cure: "A process ends again and again, and is started again. The end of its log says why: `journalctl -u 'called-it-*' -n 50`, or `docker compose logs`.",
    // Elsewhere than in production each change of a file is a start.
    find: async ({ env, pool }) => {
      const refused = await findRefusedStarts(pool.db);
      if (refused.length > 0) return { state: "refused", said: refused.join("\n"), cure: REFUSED_CURE };
      return listed("repeating", env.production ? await findRepeatedStarts(pool.db) : []);
    },
  },
  {
    part: "queues",
    follows: [],
    cure: "Somebody has paused a queue, and its jobs wait until an admin resumes it at /admin. Timers and payments go on by the sweep, up to 2 s late.",
    find: async ({ queues }) => {
      const named = Object.values(queues.byName).map(async (queue) =>
        (await queue.isPaused()) ? [queue.name] : [],
      );
      const paused = (await Promise.all(named)).flat();
      return listed("paused", paused.length === 0 ? [] : [`Paused: ${paused.join(", ")}.`]);
    },
  },
  {
    part: "transactions",
    cure: "A transaction keeps its locks while its process says nothing: the process is frozen, or its host is lost. What it holds waits. The database, or another process, ends it after 4 s. One that stays is of another program: end it with pg_terminate_backend.",
    follows: ["database", "processes"],
    find: async ({ pool }) => {
      const idle = await findIdleTransactions(pool.db);
      return idle.length === 0 ? "ok" : { state: "held", said: `${idle.map(describeIdle).join(". ")}.` };
    },
  },
  {
    part: "timers",
    cure: "An action does not open, close or get its result on time, and its players wait. Calls after the close are refused however late it is. See what else is wrong here; then the log, for what fails, and for a machine that is too busy.",
    follows: ofWork,
    find: async ({ pool }) => {
      const lines = (await findLateTimers(pool.db))
        .slice(0, NAMED)
        .map(({ event, transition, lateMs }) => `${transition} ${event.id} is ${inSeconds(lateMs)} late`);
      return listed("late", lines);
    },
  },
  {
    part: "settlements",
    cure: "A result was decided, and its players wait for their money. It is paid in parts, by the worker or by the sweep, and goes on by itself where it stopped. See what else is wrong here; then the log, for what fails.",
    follows: ofWork,
    find: async ({ pool }) => {
      const lines = (await findLateSettlements(pool.db))
        .slice(0, NAMED)
        .map(
          ({ eventId, callsCount, paidCallsCount, ageMs }) =>
            `event ${eventId}: ${paidCallsCount} of ${callsCount} calls are paid after ${inSeconds(ageMs)}`,
        );
      return listed("unpaid", lines);
    },
  },
  {
    part: "feed",
    cure: "Pages show an old state until they are loaded again, or ask. The relay of a process broadcasts; the log says why it does not. Restarting the process with the lock lets another one go on.",
    follows: ["redis", "broadcasts", ...ofWork],
    find: async ({ pool }) => {
      const behindMs = await readBehindMs(pool.db);
      return behindMs < FEED_BEHIND_MS
        ? "ok"
        : { state: "behind", said: `What happened ${inSeconds(behindMs)} ago is not broadcast.` };
    },
  },
  {
    part: "rows",
    cure: "The work for a row fails again and again, and is tried again with growing pauses, up to 5 minutes; all others go on. /admin says which row and why, and tries again. It is a bug, or a row that somebody changed: report it with the log.",
    follows: ofDatabase,
    find: async ({ pool }) => {
      const failing = await listFailingRows(pool.db, NAMED);
      const lines = failing.map(
        ({ kind, rowId, attempts, reason }) => `${kind} ${rowId} failed ${attempts} times: ${reason}`,
      );
      return listed("failing", lines);
    },
  },
  {
    part: "mails",
    cure: "Mails were not sent. Look at the mail server and at SMTP_URL. The first is tried again within a minute, and the rest follows it; an admin sends them now at /admin.",
    follows: [...ofJobs, "smtp"],
    find: ({ pool }) => waitingOf(pool.db, mailRows),
  },
  {
    part: "webhooks",
    cure: "A receiver takes no messages. Tell who runs it, or correct its address at /admin/webhooks. The first message is tried again within a minute, and the rest follows it; an admin sends them now at /admin. After a day the webhook is switched off.",
    follows: ofJobs,
    find: async ({ pool }) => {
      const failing = await listFailingWebhooks(pool.db);
      const lines = failing
        .slice(0, NAMED)
        .map(({ name, waiting, reason }) => `${name}: ${waiting} wait. ${reason ?? ""}`.trim());
      // A receiver that says when to ask again does not fail, and its messages wait.
      return lines.length === 0 ? waitingOf(pool.db, deliveryRows, "failing") : listed("failing", lines);
    },
  },
  {
    part: "pushes",
    cure: "A push service does not take messages, or is slow. They are tried again until they are too late to be of use: the first within a minute, and the rest follows it. If all services are away, see whether this machine reaches the internet.",
    follows: ofJobs,
    find: ({ pool }) => waitingOf(pool.db, pushRows),
  },
  {
    part: "backups",
    follows: [],
    cure: "Make room where backups are, correct BACKUP_TO, or see what it says (`journalctl -u called-it-backup`), and make one now: `systemctl start called-it-backup`, or `bun run backup` with BACKUP_TO. Without one a lost disk is a lost game. 14 days after the last try nothing is said any more.",
    find: async ({ pool }) => (await findBackupTrouble(pool.db)) ?? "ok",
  },
  {
    part: "archive",
    seenBy: "one",
    cure:
      "Postgres cannot archive its log (archive_command): no moment after the last archived file can be restored, and what waits fills the disk. Its " +
      "own log says why. Mostly its target is full or away, or the user postgres may not write there. It goes on by itself.",
    follows: ["database"],
    find: ({ pool }) => findArchiveTrouble(pool.db),
  },
  {
    part: "books",
    follows: [],
    cure: "The check of the books has found money that does not add up, or rows that somebody changed. Pause the live sessions, run `bun run reconcile`, and keep its output. Do not repair by hand.",
    find: async ({ pool }) =>
      ((await findLastCheck(pool.db))?.differencesCount ?? 0) === 0 ? "ok" : "differ",
  },
]);

export const workChecks = [...ofProcesses, ...ofProduct];
