import { and, isNull, lt, or, sql } from "drizzle-orm";
import { Semaphore } from "#db/pool/semaphore.ts";
import { mails } from "#db/schema/mails.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Compose, deliverMail } from "./deliver-mail.ts";
import { hasFailed } from "./waiting-mails.ts";

const BATCH_SIZE_MAX = 50;
/** As many as the queue of mails sends. One that the mail server keeps waiting holds up no other. */
const AT_ONCE_MAX = 5;
/** A mail that was enqueued is normally sent within this time. */
const OVERDUE_SECONDS = 3;

const SENT_RETENTION_DAYS = 7;
/** Longer, so that the failure can be investigated. */
const FAILED_RETENTION_DAYS = 30;

/**
 * Sends mails that are overdue, because Redis was away or the process that should have sent them died, and those that were tried and
 * are due again: after an outage they have no job for now.
 */
export async function deliverDueMails(
  deps: Pick<Deps, "env" | "pool" | "queues" | "log">,
  compose: Compose,
): Promise<void> {
  // While Redis is away nobody knows, and mails are sent.
  if (await deps.queues.byName.mails.isPaused().catch(() => false)) return;
  const overdue = sql`clock_timestamp() - make_interval(secs => ${OVERDUE_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: mails.id })
    .from(mails)
    .where(
      or(
        and(isNull(mails.sentAt), isNull(mails.failedAt), lt(mails.dueAt, overdue)),
        and(hasFailed, lt(mails.dueAt, sql`clock_timestamp()`)),
      ),
    )
    .orderBy(mails.dueAt, mails.id)
    .limit(BATCH_SIZE_MAX);
  const places = new Semaphore(AT_ONCE_MAX);
  await Promise.all(due.map(({ id }) => places.run(() => deliverMail(deps, id, compose))));
}

/** Deletes mails that were sent or failed long ago. */
export async function pruneMails({ pool }: Pick<Deps, "pool">): Promise<void> {
  await deleteOldRows(pool.db, {
    table: mails,
    old: sql`${mails.sentAt} < ${ago(SENT_RETENTION_DAYS, "days")}`,
  });
  await deleteOldRows(pool.db, {
    table: mails,
    old: sql`${mails.failedAt} < ${ago(FAILED_RETENTION_DAYS, "days")}`,
  });
}
