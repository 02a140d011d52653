import { and, desc, isNotNull, isNull, lt, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { ROWS_SHOWN } from "./contract.ts";
import type { OperationsView } from "./schemas.ts";

/** A mail is sent within seconds. */
const MAIL_LATE = sql`clock_timestamp() - interval '10 seconds'`;

/** The mails that wait or were given up. Their addresses stay out of it: operators read no personal data. */
export async function findUndeliveredMails(db: Queryable): Promise<OperationsView["mails"]> {
  const isWaiting = and(isNull(mails.sentAt), isNull(mails.failedAt), lt(mails.dueAt, MAIL_LATE));
  const isFailed = isNotNull(mails.failedAt);
  const [waiting, failed, rows] = await Promise.all([
    db.$count(mails, isWaiting),
    db.$count(mails, isFailed),
    db.select().from(mails).where(isFailed).orderBy(desc(mails.failedAt)).limit(ROWS_SHOWN),
  ]);
  return {
    waiting,
    failed,
    rows: rows.map(({ id, kind, userId, failedAt, error }) => ({
      id,
      kind,
      userId,
      failedAt: (failedAt ?? new Date(0)).toISOString(),
      error: hideValues(error ?? ""),
    })),
  };
}

/** How many webhooks are on, and how many of them fail. */
export async function countWebhooks(db: Queryable): Promise<OperationsView["webhooks"]> {
  const isOn = isNull(webhooks.disabledAt);
  const [count, failing] = await Promise.all([
    db.$count(webhooks, isOn),
    db.$count(webhooks, and(isOn, isNotNull(webhooks.failingSince))),
  ]);
  return { count, failing };
}
