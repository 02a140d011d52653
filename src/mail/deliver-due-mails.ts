import { and, isNull, lt, sql } from "drizzle-orm";
import { Semaphore } from "#db/pool/semaphore.ts";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Compose, deliverMail } from "./deliver-mail.ts";

const BATCH_SIZE_MAX = 50;
/** As many as the queue of mails sends. One that the mail server keeps waiting holds up no other. */
const AT_ONCE_MAX = 5;
/** A mail that was enqueued is normally sent within this time. */
const OVERDUE_SECONDS = 3;

/** Sends mails that are overdue, because Redis was away or the process that should have sent them died. */
export async function deliverDueMails(
  deps: Pick<Deps, "env" | "pool" | "log">,
  compose: Compose,
): Promise<void> {
  const overdue = sql`clock_timestamp() - make_interval(secs => ${OVERDUE_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt), lt(mails.dueAt, overdue)))
    .orderBy(mails.dueAt)
    .limit(BATCH_SIZE_MAX);
  const places = new Semaphore(AT_ONCE_MAX);
  await Promise.all(due.map(({ id }) => places.run(() => deliverMail(deps, id, compose))));
}
