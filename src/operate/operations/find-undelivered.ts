import { desc, isNotNull, isNull } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { type DueRows, findUnsent } from "#src/base/due-rows.ts";
import { present } from "#src/http/present.ts";
import { mailRows } from "#src/mail/write-mail.ts";
import { deliveryRows } from "#src/webhooks/deliver-webhook.ts";
import { listFailingWebhooks } from "#src/webhooks/find-webhook.ts";
import { ROWS_SHOWN } from "./contract.ts";
import { failingWebhookSchema, type OperationsView, waitingSchema, type WaitingView } from "./schemas.ts";

/** What waits of the rows that are sent to another server. */
export async function findWaiting(db: Queryable, rows: DueRows): Promise<WaitingView> {
  const found = await findUnsent(db, rows);
  return present(waitingSchema, { ...found, sending: found.unsent - found.waiting });
}

/** The mails that wait or were given up. Their addresses stay out of it: operators read no personal data. */
export async function findUndeliveredMails(db: Queryable): Promise<OperationsView["mails"]> {
  const isFailed = isNotNull(mails.failedAt);
  const [failed, rows, unsent] = await Promise.all([
    db.$count(mails, isFailed),
    db.select().from(mails).where(isFailed).orderBy(desc(mails.failedAt)).limit(ROWS_SHOWN),
    findWaiting(db, mailRows),
  ]);
  return {
    ...unsent,
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

export async function countWebhooks(db: Queryable): Promise<OperationsView["webhooks"]> {
  const [count, failing, { waiting }] = await Promise.all([
    db.$count(webhooks, isNull(webhooks.disabledAt)),
    listFailingWebhooks(db),
    findUnsent(db, deliveryRows),
  ]);
  const failures = failing.map((webhook) => present(failingWebhookSchema, webhook));
  return { count, failing: failing.length, waiting, failures };
}
