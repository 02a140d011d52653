import { and, isNull } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { scores } from "#db/schema/scores.ts";

/** A player's record over all sessions: sums in cents, counts of resolved events. */
export type Metrics = Pick<
  typeof scores.$inferSelect,
  | "wageredCents"
  | "returnedCents"
  | "callsCount"
  | "wins"
  | "losses"
  | "refunded"
  | "currentStreak"
  | "bestStreak"
>;

/** The metrics of a player without results. */
export const noMetrics: Metrics = {
  wageredCents: 0,
  returnedCents: 0,
  callsCount: 0,
  wins: 0,
  losses: 0,
  refunded: 0,
  currentStreak: 0,
  bestStreak: 0,
};

/** Finds the metrics of several players in one query, by user id. Players without results are not in the map. */
export async function findMetrics(db: Queryable, userIds: readonly number[]): Promise<Map<number, Metrics>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select()
    .from(scores)
    .where(and(isNull(scores.sessionId), anyOf(scores.userId, userIds)));
  return new Map(rows.map((row) => [row.userId, row]));
}
