import { desc, isNotNull, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { findUnsent } from "#src/base/due-rows.ts";
import { findUnsentMails } from "#src/mail/deliver-mail.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { listFailingWebhooks } from "#src/webhooks/find-webhook.ts";
import { ROWS_SHOWN } from "./contract.ts";
import type { OperationsView } from "./schemas.ts";

/** The mails that wait or were given up. Their addresses stay out of it: operators read no personal data. */
export async function findUndeliveredMails(db: Queryable): Promise<OperationsView["mails"]> {
  const isFailed = isNotNull(mails.failedAt);
  const [failed, rows, { unsent, waiting, oldestAt, reason, nextAt }] = await Promise.all([
    db.$count(mails, isFailed),
    db.select().from(mails).where(isFailed).orderBy(desc(mails.failedAt)).limit(ROWS_SHOWN),
    findUnsentMails(db),
  ]);
  return {
    waiting,
    sending: unsent - waiting,
    oldestAt: oldestAt?.toISOString() ?? null,
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

/** How many webhooks are on, which of them fail, and how many messages wait. */
export async function countWebhooks(db: Queryable): Promise<OperationsView["webhooks"]> {
  const [count, failing, { waiting }] = await Promise.all([
    db.$count(webhooks, isNull(webhooks.disabledAt)),
    listFailingWebhooks(db),
    findUnsent(db, deliveryRows),
  ]);
  const failures = failing.map(({ failingSince, reason, nextAt, ...webhook }) => ({
    ...webhook,
    failingSince: failingSince.toISOString(),
    reason: reason === null ? null : hideValues(reason),
    nextAt: nextAt?.toISOString() ?? null,
  }));
  return { count, failing: failing.length, waiting, failures };
}
