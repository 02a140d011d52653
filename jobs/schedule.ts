import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { DatabasePool } from "#db/client.ts";
import { bookChecks } from "#db/schema/books.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { mails } from "#db/schema/mails.ts";
import { messages } from "#db/schema/messages.ts";
import { notifications } from "#db/schema/notifications.ts";
import { pushMessages } from "#db/schema/push-subscriptions.ts";
import { reminders } from "#db/schema/reminders.ts";
import { keptBreaks } from "#db/schema/spending.ts";
import { tokens } from "#db/schema/tokens.ts";
import { troubles } from "#db/schema/troubles.ts";
import { knownBrowsers, signIns } from "#db/schema/users.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { ago, deleteOldestRows, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { logFailure } from "#src/base/log.ts";
import { checkBooksWhenDue } from "#src/books/check-books-when-due.ts";
import { sealNewJournals } from "#src/books/seal-new-journals.ts";
import { pruneDryRuns, resumeDryRuns } from "#src/dry-runs/simulate/perform-dry-run.ts";
import { deliverDueMails } from "#src/mail/deliver-mail.ts";
import { askAboutPending, endCheckoutsOnBreak } from "#src/money/payments/ask-provider.ts";
import { finishRefunds } from "#src/money/payments/refund-payment.ts";
import { tellSpending } from "#src/money/spending/tell-spending.ts";
import { sweepAvatars } from "#src/people/pictures/make-avatar.ts";
import { deliverDuePushes } from "#src/people/push/deliver-push.ts";
import { BROWSER_COOKIE_S } from "#src/people/sign-ins/signed-cookies.ts";
import { sweepBlobs } from "#src/people/storage/discard-blobs.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { removeUnusedGuests } from "#src/people/users/remove-unused-guests.ts";
import { pruneChanges } from "#src/play/leaderboard/repair-scores.ts";
import { sweepDeletedAccounts } from "#src/profiles/delete-account.ts";
import { sweepMergedGuests } from "#src/profiles/merge-user.ts";
import { pruneShares } from "#src/shares/update-share.ts";
import { sweepPictures } from "#src/show/blueprints/removals.ts";
import { remindUncalled, sendDueReminders } from "#src/show/reminders/send-due-reminders.ts";
import { rearmAlarms } from "#src/show/timers/sweep.ts";
import { DELIVERY_DAYS } from "#src/webhooks/contract.ts";
import { deliverDueWebhooks } from "#src/webhooks/deliver-webhook.ts";

/** What is deleted once it is old, each hour. A table without an index on age is read from its oldest row. */
type Retention = { what: string; table: PgTable; old: readonly SQL[]; fromOldest?: true };

const { checkedAt, differencesCount } = bookChecks;
const { createdAt, deliveredAt, failedAt } = webhookDeliveries;
const olderThan = (moment: SQL | { getSQL: () => SQL }, days: number) =>
  sql`${moment} < ${ago(days, "days")}`;

/** How many notifications of a user stay. Users who got none for these hours are as short as the run before left them. */
const NOTIFICATIONS_MAX = 200;
const RECENT_HOURS = 3;

const retention: readonly Retention[] = [
  {
    what: "mails",
    table: mails,
    // Failed ones longer, so that the failure can be investigated.
    old: [olderThan(mails.sentAt, 7), olderThan(mails.failedAt, 30)],
  },
  { what: "push messages", table: pushMessages, old: [olderThan(sql`created_at`, 1)], fromOldest: true },
  {
    what: "messages to webhooks",
    table: webhookDeliveries,
    old: [
      sql`${olderThan(createdAt, DELIVERY_DAYS)} AND (${deliveredAt} IS NOT NULL OR ${failedAt} IS NOT NULL)`,
    ],
  },
  {
    what: "checks of the books",
    table: bookChecks,
    // Those with findings after 90 days.
    old: [sql`${olderThan(checkedAt, 7)} AND (${differencesCount} = 0 OR ${olderThan(checkedAt, 90)})`],
  },
  // Of players and of hosts, deleted or not.
  { what: "chat messages", table: messages, old: [olderThan(sql`created_at`, 365)], fromOldest: true },
  {
    what: "notifications",
    table: notifications,
    old: [
      olderThan(notifications.createdAt, 90),
      sql`id IN (
        SELECT older.id FROM (
          SELECT DISTINCT user_id FROM notifications WHERE created_at > ${ago(RECENT_HOURS, "hours")}
        ) recent, LATERAL (
          SELECT id FROM notifications n WHERE n.user_id = recent.user_id ORDER BY id DESC OFFSET ${NOTIFICATIONS_MAX}
        ) older)`,
    ],
  },
  { what: "idempotency keys", table: idempotencyKeys, old: [olderThan(idempotencyKeys.createdAt, 1)] },
  {
    what: "troubles",
    table: troubles,
    old: [sql`${olderThan(troubles.since, 30)} AND ${olderThan(troubles.seenAt, 30)}`],
  },
  // Nothing tries them any more, because what they are about is gone.
  {
    what: "failing rows",
    table: failingRows,
    old: [sql`${failingRows.nextAt} < game_now() - interval '1 day'`],
  },
  { what: "tokens", table: tokens, old: [olderThan(tokens.expiresAt, 0)] },
  // Their cookie has expired.
  {
    what: "known browsers",
    table: knownBrowsers,
    old: [sql`${knownBrowsers.signedInAt} < ${ago(BROWSER_COOKIE_S, "secs")}`],
  },
  // Every sign-in expires. For so long their users can still read of them in the download of their data.
  { what: "sign-ins", table: signIns, old: [olderThan(signIns.expiresAt, 30)] },
  // Of addresses that no account has: of them nothing is left to keep.
  { what: "hashes of breaks", table: keptBreaks, old: [sql`${keptBreaks.endsAt} < game_now()`] },
  // Their sessions are over.
  {
    what: "reminders",
    table: reminders,
    old: [sql`session_id IN (SELECT id FROM sessions WHERE state = 'stopped')`],
  },
];

/**
 * Deletes the old rows of a table.
 * @param batchSize the rows of a statement.
 */
export async function pruneTable(
  { pool }: { pool: Pick<DatabasePool, "db"> },
  pruned: PgTable,
  batchSize?: number,
): Promise<void> {
  for (const { table, old, fromOldest } of retention.filter((each) => each.table === pruned)) {
    const remove = fromOldest === true ? deleteOldestRows : deleteOldRows;
    for (const condition of old)
      await remove(pool.db, { table, old: condition, ...(batchSize !== undefined && { batchSize }) });
  }
}

/**
 * The periodic tasks of the worker. They run on intervals and not as repeating jobs of BullMQ, because some of them repair
 * what a Redis that lost its data lacks. Each task may run in several workers at the same time, and in each of them once at a time:
 * a server that is slow on purpose gets no more of it.
 */
export const schedule: readonly { name: string; everyMs: number; run: (deps: Deps) => Promise<void> }[] = [
  { name: "rearm alarms", everyMs: 15_000, run: rearmAlarms },
  { name: "seal the journals", everyMs: 5_000, run: sealNewJournals },
  { name: "check the books", everyMs: 60_000, run: checkBooksWhenDue },
  { name: "finish refunds", everyMs: 60_000, run: finishRefunds },
  { name: "ask about pending payments", everyMs: 60_000, run: askAboutPending },
  { name: "end checkouts on breaks", everyMs: 5_000, run: endCheckoutsOnBreak },
  { name: "delete old changes of leaderboards", everyMs: 60_000, run: pruneChanges },
  { name: "send due reminders", everyMs: 5_000, run: sendDueReminders },
  { name: "remind who has not called", everyMs: 60_000, run: remindUncalled },
  { name: "tell players of their visit", everyMs: 30_000, run: tellSpending },
  { name: "send due mails", everyMs: 2_000, run: (deps) => deliverDueMails(deps, composeMail) },
  { name: "send due push messages", everyMs: 2_000, run: deliverDuePushes },
  { name: "send due messages to webhooks", everyMs: 2_000, run: deliverDueWebhooks },
  { name: "delete old links", everyMs: 3_600_000, run: pruneShares },
  { name: "remove unused guests", everyMs: 3_600_000, run: removeUnusedGuests },
  { name: "erase deleted accounts", everyMs: 300_000, run: sweepDeletedAccounts },
  { name: "pay the accounts of merged guests", everyMs: 5_000, run: sweepMergedGuests },
  { name: "make waiting avatars", everyMs: 15_000, run: sweepAvatars },
  { name: "resume dry runs", everyMs: 15_000, run: resumeDryRuns },
  { name: "delete old dry runs", everyMs: 3_600_000, run: pruneDryRuns },
  { name: "delete logos and pictures that nothing has", everyMs: 3_600_000, run: sweepPictures },
  ...retention.map(({ what, table }) => ({
    name: `delete old ${what}`,
    everyMs: 3_600_000,
    run: (deps: Deps) => pruneTable(deps, table),
  })),
  { name: "delete unused uploads", everyMs: 15_000, run: sweepBlobs },
];

/**
 * Starts all tasks, each with its first run at once. A run that fails is logged; the next one follows as usual. One that takes longer
 * leaves the next ones out.
 */
export function startSchedule(deps: Deps, tasks = schedule): { stop: () => Promise<void> } {
  const running = new Map<string, Promise<void>>();
  const timers = tasks.map(({ name, everyMs, run }) => {
    const runLogged = () => {
      if (running.has(name)) return;
      const attempt = run(deps).catch((error: unknown) => logFailure(deps.log, error, `could not ${name}`));
      running.set(name, attempt);
      void attempt.finally(() => running.delete(name));
    };
    runLogged();
    return setInterval(runLogged, everyMs);
  });
  return {
    stop: async () => {
      for (const timer of timers) clearInterval(timer);
      await Promise.all(running.values());
    },
  };
}
