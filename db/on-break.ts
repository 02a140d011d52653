import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { breaks } from "./schema/spending.ts";

/** In SQL: until when a user is on a break; NULL for none. @param userId a column; in a list of columns with its table. */
export function breakUntil(userId: SQLWrapper): SQL<Date | null> {
  return sql`(SELECT max(own_break.ends_at) FROM breaks own_break WHERE own_break.user_id = ${userId} AND own_break.ends_at > game_now())`.mapWith(
    breaks.endsAt,
  );
}

/** In SQL: a user is on a break, and is neither invited nor reminded. @param userId a column or a number. */
export function isOnBreak(userId: SQLWrapper | number): SQL<boolean> {
  return sql`EXISTS (SELECT 1 FROM breaks own_break WHERE own_break.user_id = ${userId} AND own_break.ends_at > game_now())`;
}
