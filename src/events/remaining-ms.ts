import { type SQL, sql } from "drizzle-orm";

/** As much as the column holds: about 24 days. */
const REMAINING_MS_MAX = 2_147_483_647;

/**
 * The milliseconds that remain at a moment until something is due, as SQL; below 0 where it is overdue, NULL where nothing
 * is due. Rounded up, so that nothing comes too early.
 */
export function remainingMs(dueAt: SQL, at: string): SQL<number | null> {
  const left = sql`ceil(extract(epoch FROM ${dueAt} - ${at}::timestamptz) * 1000)`;
  return sql`CASE WHEN ${dueAt} IS NOT NULL THEN least(${REMAINING_MS_MAX}::numeric, ${left})::int END`;
}
