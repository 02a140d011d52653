import { and, isNull, lt, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Compose, deliverMail } from "./deliver-mail.ts";

const AT_ONCE_MAX = 50;
/** Whoever was rung for is given so long before it counts as overlooked. */
const OVERLOOKED_AFTER_SECONDS = 3;

/** Sends the mails that are due and that nobody was rung for: Redis was away, or a process died with them. */
export async function deliverDueMails(
  deps: Pick<Deps, "env" | "pool" | "log">,
  compose: Compose,
): Promise<void> {
  const overlooked = sql`clock_timestamp() - make_interval(secs => ${OVERLOOKED_AFTER_SECONDS})`;
  const due = await deps.pool.db
    .select({ id: mails.id })
    .from(mails)
    .where(and(isNull(mails.sentAt), isNull(mails.failedAt), lt(mails.dueAt, overlooked)))
    .orderBy(mails.dueAt)
    .limit(AT_ONCE_MAX);
  for (const { id } of due) await deliverMail(deps, id, compose);
}
