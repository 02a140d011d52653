import { type SQL, sql } from "drizzle-orm";
import type { PgTable } from "drizzle-orm/pg-core";
import type { DatabasePool } from "#db/client.ts";
import { bookChecks } from "#db/schema/books.ts";
import { failingRows } from "#db/schema/failing-rows.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { mails } from "#db/schema/mails.ts";
import { messages } from "#db/schema/messages.ts";
import { notifications } from "#db/schema/notifications.ts";
import { reminders } from "#db/schema/reminders.ts";
import { tokens } from "#db/schema/tokens.ts";
import { troubles } from "#db/schema/troubles.ts";
import { knownBrowsers, signIns } from "#db/schema/users.ts";
import { webhookDeliveries } from "#db/schema/webhooks.ts";
import { ago, deleteOldestRows, deleteOldRows } from "#src/base/delete-old-rows.ts";
import { BROWSER_COOKIE_S } from "#src/people/sign-ins/signed-cookies.ts";
import { DELIVERY_DAYS } from "#src/webhooks/contract.ts";

/** What is deleted once it is old, each hour. A table without an index on age is read from its oldest row. */
type Retention = { what: string; table: PgTable; old: readonly SQL[]; fromOldest?: true };

const { checkedAt, differencesCount } = bookChecks;
const { createdAt, deliveredAt, failedAt } = webhookDeliveries;
const olderThan = (moment: SQL | { getSQL: () => SQL }, days: number) =>
  sql`${moment} < ${ago(days, "days")}`;

/** How many notifications of a user stay. Users who got none for these hours are as short as the run before left them. */
const NOTIFICATIONS_MAX = 200;
const RECENT_HOURS = 3;

export const retention: readonly Retention[] = [
  {
    what: "mails",
    table: mails,
    // Failed ones longer, so that the failure can be investigated.
    old: [olderThan(mails.sentAt, 7), olderThan(mails.failedAt, 30)],
  },
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
