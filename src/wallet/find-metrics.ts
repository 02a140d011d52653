import { sql } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { scores } from "#db/schema/scores.ts";
import { whole } from "./whole.ts";

const metricsRows = v.array(
  v.object({
    userId: whole,
    wageredCents: whole,
    returnedCents: whole,
    callsPlaced: whole,
    won: whole,
    lost: whole,
    refunded: whole,
    currentStreak: whole,
    bestStreak: whole,
  }),
);

/** How a player has done, in cents and in events, all sessions together. */
export type Metrics = Omit<v.InferOutput<typeof metricsRows>[number], "userId">;

/** A player who has placed nothing yet. */
export const noMetrics: Metrics = {
  wageredCents: 0,
  returnedCents: 0,
  callsPlaced: 0,
  won: 0,
  lost: 0,
  refunded: 0,
  currentStreak: 0,
  bestStreak: 0,
};

/**
 * Finds the metrics of several players in one query; who has placed nothing is not in the map. What is resolved is counted
 * already in their scores; what is not stands on the few events that are open or closed. So it takes no longer the more
 * somebody has played.
 */
export async function findMetrics(db: Queryable, userIds: readonly number[]): Promise<Map<number, Metrics>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.execute(sql`
    WITH pending AS (
      SELECT ${calls.userId} AS user_id, count(*) AS calls_count FROM ${calls}
      WHERE ${calls.eventId} IN (SELECT e.id FROM events e WHERE e.state IN ('open', 'closed'))
        AND ${anyOf(calls.userId, userIds)} AND ${calls.state} IN ('placed', 'closed')
      GROUP BY ${calls.userId}
    ),
    overall AS (SELECT * FROM ${scores} WHERE ${scores.sessionId} IS NULL AND ${anyOf(scores.userId, userIds)})
    SELECT user_id AS "userId", coalesce(pending.calls_count, 0) + coalesce(overall.calls_count, 0) AS "callsPlaced",
      coalesce(wagered_cents, 0) AS "wageredCents", coalesce(returned_cents, 0) AS "returnedCents",
      coalesce(wins, 0) AS won, coalesce(losses, 0) AS lost, coalesce(refunded, 0) AS refunded,
      coalesce(current_streak, 0) AS "currentStreak", coalesce(best_streak, 0) AS "bestStreak"
    FROM overall FULL JOIN pending USING (user_id)`);
  return new Map(v.parse(metricsRows, [...rows]).map(({ userId, ...metrics }) => [userId, metrics]));
}
