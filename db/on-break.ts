import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

/** In SQL: a user is on a break, and is neither invited nor reminded. @param userId a column or a number. */
export function isOnBreak(userId: SQLWrapper | number): SQL {
  return sql`EXISTS (SELECT 1 FROM breaks own_break WHERE own_break.user_id = ${userId} AND own_break.ends_at > game_now())`;
}
