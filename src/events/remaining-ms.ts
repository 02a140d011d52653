import { type SQL, sql } from "drizzle-orm";

/** As much as the column holds: about 24 days. */
const REMAINING_MS_MAX = 2_147_483_647;

/**
 * The milliseconds that remain at a moment until something is due, as SQL; below 0 where it is overdue. Rounded up, so that
 * nothing comes too early.
 */
export function remainingMs(dueAt: SQL, at: string): SQL<number> {
  const left = sql`ceil(extract(epoch FROM ${dueAt} - ${at}::timestamptz) * 1000)`;
  return sql<number>`least(${REMAINING_MS_MAX}::numeric, ${left})::int`;
}
