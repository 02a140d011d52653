import { sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import type { Deps } from "#src/base/deps.ts";

const SENT_RETENTION_DAYS = 7;
/** Longer, so that the failure can be investigated. */
const FAILED_RETENTION_DAYS = 30;

/** Deletes mails that were sent or failed long ago. */
export async function pruneMails({ pool }: Pick<Deps, "pool">): Promise<void> {
  await pool.db.execute(sql`
    DELETE FROM ${mails} WHERE ${mails.sentAt} < clock_timestamp() - make_interval(days => ${SENT_RETENTION_DAYS})
      OR ${mails.failedAt} < clock_timestamp() - make_interval(days => ${FAILED_RETENTION_DAYS})`);
}
