import { sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

const SENT_RETENTION_DAYS = 7;
/** Longer, so that the failure can be investigated. */
const FAILED_RETENTION_DAYS = 30;

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
