import { type SQL, type SQLWrapper, sql } from "drizzle-orm";

// Decision: the books keep a merged guest's wallet and calls under the guest's id, because they are append-only and sealed. So a
// player's record is read for the ids of `playersOf`, each by its index. A player without merged guests pays one probe of a small
// index for it. Results and scores are counted for the account itself, so leaderboards pay nothing.

/** In SQL: a relation with the column `id`: the player, and the guests that are a part of the player's account. */
export const playersOf = (userId: SQLWrapper | number): SQL =>
  sql`(SELECT ${userId}::bigint AS id UNION ALL SELECT m.id FROM users m WHERE m.merged_into = ${userId})`;

/** In SQL: the account of a player, which for all but merged guests is the player. */
export const accountOf = (userId: SQLWrapper): SQL<number> =>
  sql<number>`(SELECT coalesce(m.merged_into, m.id)::float8 FROM users m WHERE m.id = ${userId})`;
