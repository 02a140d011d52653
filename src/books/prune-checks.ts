import { sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import { ago, deleteOldRows } from "#src/base/delete-old-rows.ts";
import type { Deps } from "#src/base/deps.ts";

/** Deletes checks without findings after 7 days, and the others after 90 days. */
export async function pruneChecks({ pool }: Pick<Deps, "pool">): Promise<void> {
  const { checkedAt, differencesCount } = bookChecks;
  const before = (days: number) => sql`${checkedAt} < ${ago(days, "days")}`;
  await deleteOldRows(pool.db, {
    table: bookChecks,
    old: sql`${before(7)} AND (${differencesCount} = 0 OR ${before(90)})`,
  });
}
