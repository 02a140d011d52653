import { and, desc, isNotNull, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { findUnsentMails } from "#src/mail/waiting-mails.ts";
import { countWaitingDeliveries } from "#src/webhooks/waiting-deliveries.ts";
import { ROWS_SHOWN } from "./contract.ts";
import type { OperationsView } from "./schemas.ts";

/** The mails that wait or were given up. Their addresses stay out of it: operators read no personal data. */
export async function findUndeliveredMails(db: Queryable): Promise<OperationsView["mails"]> {
  const isFailed = isNotNull(mails.failedAt);
  const [failed, rows, { unsent, waiting, reason, nextAt }] = await Promise.all([
    db.$count(mails, isFailed),
    db.select().from(mails).where(isFailed).orderBy(desc(mails.failedAt)).limit(ROWS_SHOWN),
    findUnsentMails(db),
  ]);
  return {
    waiting,
    sending: unsent - waiting,
    reason: reason === null ? null : hideValues(reason),
    nextAt: nextAt?.toISOString() ?? null,
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

/** How many webhooks are on, how many of them fail, and how many messages wait. */
export async function countWebhooks(db: Queryable): Promise<OperationsView["webhooks"]> {
  const isOn = isNull(webhooks.disabledAt);
  const [count, failing, waiting] = await Promise.all([
    db.$count(webhooks, isOn),
    db.$count(webhooks, and(isOn, isNotNull(webhooks.failingSince))),
    countWaitingDeliveries(db),
  ]);
  return { count, failing, waiting };
}
