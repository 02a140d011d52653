import { and, eq, gt, lt, or, sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import type { Deps } from "#src/base/deps.ts";

/** Forgets checks that found nothing after a week, and the others after a quarter of a year. */
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
