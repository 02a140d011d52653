import { addressOf, isPooled } from "#db/address.ts";
import { describeIdle, findIdleTransactions } from "#db/idle-transactions.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { findSilentProcesses } from "#db/silent-processes.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { listFailingRows } from "#src/base/try-rows.ts";
import { findLastCheck } from "#src/books/show-books.ts";
import { findUnsentMails } from "#src/mail/waiting-mails.ts";
import { findBackupTrouble } from "#src/operate/operations/backups.ts";
import { findLateTimers } from "#src/operate/operations/find-late-timers.ts";
import { readBehindMs } from "#src/operate/operations/read-behind.ts";
import { listPausedQueues } from "#src/operate/operations/read-queues.ts";
import { listFailingWebhooks } from "#src/webhooks/waiting-deliveries.ts";
import type { ReadinessCheck } from "./readiness-check.ts";

/** How many rows are named; /admin lists more. */
const NAMED = 3;
/** The sweep makes what is late within 2 s. */
const LATE_MS = 3_000;
/** A large settlement takes some seconds. */
const UNPAID_MS = 10_000;
/** And has paid its first calls before this. */
const UNTOUCHED_MS = 2_500;
/** The sweep broadcasts within a second what nobody was notified of. */
const BEHIND_MS = 3_000;
const SECOND_MS = 1_000;

const inSeconds = (ms: number) => `${Math.round(ms / SECOND_MS)} s`;

/** The work of the product as a whole, which every process sees in the database and in Redis. */
export const workChecks: readonly ReadinessCheck[] = [
  {
    part: "processes",
    needed: false,
    shared: true,
    cure:
      "A process is connected and says nothing: it is stopped, its machine sleeps or has no CPU for it, or its host is lost. The others " +
      "free what it holds and do its work; pages and calls that a proxy sends to it hang, and a worker's mails, push messages, webhooks and " +
      "pictures wait. systemd ends one of its units after 10 s. Elsewhere let it go on (`kill -CONT` with its number), or end it " +
      "(`kill -KILL`), and what started it starts another.",
    silent: "unknown",
    check: async ({ env, pool }) => {
      // The names of connections say nothing there.
      if (isPooled(addressOf(env.databaseUrl))) return "unknown";
      const silent = await findSilentProcesses(pool.db);
      const lines = silent.map(
        ({ process, silentMs }) => `${process} has said nothing for ${inSeconds(silentMs)}.`,
      );
      return silent.length === 0 ? "ok" : { state: "silent", detail: lines.join("\n") };
    },
  },
  {
    part: "worker",
    needed: false,
    shared: true,
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
    part: "queues",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "Somebody has paused a queue, and its jobs wait until an admin resumes it at /admin. Timers and payments go on by the sweep, up to 2 s " +
      "late.",
    silent: "unknown",
    check: async (deps) => {
      const paused = await listPausedQueues(deps);
      return paused.length === 0 ? "ok" : { state: "paused", detail: `Paused: ${paused.join(", ")}.` };
    },
  },
  {
    part: "transactions",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "A transaction keeps its locks while its process says nothing: the process is frozen, or its host is lost. What it holds waits. The " +
      "database, or another process, ends it after 4 s. One that stays is of another program: end it with pg_terminate_backend.",
    silent: "unknown",
    follows: ["processes"],
    check: async ({ pool }) => {
      const idle = await findIdleTransactions(pool.db);
      return idle.length === 0 ? "ok" : { state: "held", detail: `${idle.map(describeIdle).join(". ")}.` };
    },
  },
  {
    part: "timers",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "An action does not open, close or get its result on time, and its players wait. Calls after the close are refused however late it " +
      "is. See what else is wrong here; then the log, for what fails, and for a machine that is too busy.",
    silent: "unknown",
    follows: ["processes", "transactions", "rows"],
    check: async ({ pool }) => {
      const late = (await findLateTimers(pool.db)).filter(({ lateMs }) => lateMs > LATE_MS);
      const lines = late
        .slice(0, NAMED)
        .map(({ event, transition, lateMs }) => `${transition} ${event.id} is ${inSeconds(lateMs)} late`);
      return late.length === 0 ? "ok" : { state: "late", detail: lines.join("\n") };
    },
  },
  {
    part: "settlements",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "A result was decided, and its players wait for their money. It is paid in parts, by the worker or by the sweep, and goes on by " +
      "itself where it stopped. See what else is wrong here; then the log, for what fails.",
    silent: "unknown",
    follows: ["processes", "transactions", "rows"],
    check: async ({ pool }) => {
      const nowMs = serverNow().getTime();
      const unpaid = (await listUnpaidSettlements(pool.db)).filter(
        ({ createdAt, paidCallsCount }) =>
          nowMs - createdAt.getTime() > (paidCallsCount === 0 ? UNTOUCHED_MS : UNPAID_MS),
      );
      const lines = unpaid
        .slice(0, NAMED)
        .map(
          ({ eventId, callsCount, paidCallsCount, createdAt }) =>
            `event ${eventId}: ${paidCallsCount} of ${callsCount} calls are paid after ${inSeconds(nowMs - createdAt.getTime())}`,
        );
      return unpaid.length === 0 ? "ok" : { state: "unpaid", detail: lines.join("\n") };
    },
  },
  {
    part: "feed",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "Pages show an old state until they are loaded again, or ask. The relay of a process broadcasts; the log says why it does not. " +
      "Restarting the process with the lock lets another one go on.",
    silent: "unknown",
    follows: ["redis", "broadcasts", "processes", "transactions"],
    check: async ({ pool }) => {
      const behindMs = await readBehindMs(pool.db);
      return behindMs < BEHIND_MS
        ? "ok"
        : { state: "behind", detail: `What happened ${inSeconds(behindMs)} ago is not broadcast.` };
    },
  },
  {
    part: "rows",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "The work for a row fails again and again, and is tried again with growing pauses, up to 5 minutes; all others go on. /admin says " +
      "which row and why, and tries again. It is a bug, or a row that somebody changed: report it with the log.",
    silent: "unknown",
    check: async ({ pool }) => {
      const failing = await listFailingRows(pool.db, NAMED);
      const lines = failing.map(
        ({ kind, rowId, attempts, reason }) => `${kind} ${rowId} failed ${attempts} times: ${reason}`,
      );
      return failing.length === 0 ? "ok" : { state: "failing", detail: lines.join("\n") };
    },
  },
  {
    part: "mails",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "Mails were not sent. Look at the mail server and at SMTP_URL. The first is tried again within a minute, and the rest follows it; " +
      "an admin sends them now at /admin.",
    silent: "unknown",
    follows: ["processes", "worker"],
    check: async ({ pool }) => {
      const { waiting, reason } = await findUnsentMails(pool.db);
      return waiting === 0
        ? "ok"
        : { state: "waiting", detail: hideValues(`${waiting} wait. ${reason ?? ""}`.trim()) };
    },
  },
  {
    part: "webhooks",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "A receiver takes no messages. Tell who runs it, or correct its address at /admin/webhooks. The first message is tried again within a " +
      "minute, and the rest follows it; an admin sends them now at /admin. After a day the webhook is switched off.",
    silent: "unknown",
    follows: ["processes", "worker"],
    check: async ({ pool }) => {
      const failing = await listFailingWebhooks(pool.db);
      const lines = failing
        .slice(0, NAMED)
        .map(({ name, waiting, reason }) => `${name}: ${waiting} wait. ${reason ?? ""}`.trim());
      return failing.length === 0 ? "ok" : { state: "failing", detail: hideValues(lines.join("\n")) };
    },
  },
  {
    part: "backups",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "Make room where backups are, or see what it says (`journalctl -u called-it-backup`), and make one now: `systemctl start " +
      "called-it-backup`, or `bun run backup FILE --nightly`. Without one a lost disk is a lost game. 14 days after the last try nothing is " +
      "said any more.",
    silent: "unknown",
    check: async ({ pool }) => (await findBackupTrouble(pool.db)) ?? "ok",
  },
  {
    part: "books",
    needed: false,
    shared: true,
    byOne: true,
    cure:
      "The check of the books has found money that does not add up, or rows that somebody changed. Pause the live sessions, run " +
      "`bun run reconcile`, and keep its output. Do not repair by hand.",
    silent: "unknown",
    check: async ({ pool }) =>
      ((await findLastCheck(pool.db))?.differencesCount ?? 0) === 0 ? "ok" : "differ",
  },
];
