import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import type { Deps } from "#src/base/deps.ts";

/** Deletes checks without findings after 7 days, and the others after 90 days. */
export async function pruneChecks({ pool }: Pick<Deps, "pool">): Promise<void> {
  const { checkedAt, differencesCount } = bookChecks;
  await pool.db
    .delete(bookChecks)
    .where(
      or(
        and(eq(differencesCount, 0), lt(checkedAt, sql`clock_timestamp() - interval '7 days'`)),
        and(gt(differencesCount, 0), lt(checkedAt, sql`clock_timestamp() - interval '90 days'`)),
      ),
    );
}
