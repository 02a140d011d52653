import { sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";

const SENT_KEPT_DAYS = 7;
/** Longer, so that somebody can look into what went wrong. */
const FAILED_KEPT_DAYS = 30;

/** Removes the mails that were sent or given up long ago. */
export async function forgetMails({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`
    DELETE FROM ${mails} WHERE ${mails.sentAt} < clock_timestamp() - make_interval(days => ${SENT_KEPT_DAYS})
      OR ${mails.failedAt} < clock_timestamp() - make_interval(days => ${FAILED_KEPT_DAYS})`);
}
