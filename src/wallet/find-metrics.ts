import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { recordTables, whole } from "./records.ts";

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

/** How a player has done, in cents and in events; see records.ts for what each of them counts. */
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

/** Finds the metrics of several players in one query; who has placed nothing is not in the map. */
export async function findMetrics(db: Queryable, userIds: readonly number[]): Promise<Map<number, Metrics>> {
  if (userIds.length === 0) return new Map();
  const theirs = sql`${calls.userId} IN (${sql.join(
    userIds.map((id) => sql`${id}`),
    sql`, `,
  )})`;
  const rows = await db.execute(sql`
    WITH ${recordTables(theirs)},
    placed AS (
      SELECT ${calls.userId} AS user_id, count(*) AS calls_placed FROM ${calls}
      WHERE ${theirs} AND ${calls.state} <> 'soft_destroyed' GROUP BY ${calls.userId}
    ),
    sums AS (
      SELECT user_id, sum(wagered) AS wagered, sum(returned) AS returned, count(*) FILTER (WHERE refunded) AS refunded
      FROM nets GROUP BY user_id
    )
    SELECT placed.user_id AS "userId", placed.calls_placed AS "callsPlaced",
      coalesce(sums.wagered, 0) AS "wageredCents", coalesce(sums.returned, 0) AS "returnedCents",
      coalesce(sums.refunded, 0) AS "refunded", coalesce(records.wins, 0) AS "won", coalesce(records.losses, 0) AS "lost",
      coalesce(records.current_streak, 0) AS "currentStreak", coalesce(records.best_streak, 0) AS "bestStreak"
    FROM placed LEFT JOIN sums USING (user_id) LEFT JOIN records USING (user_id)`);
  return new Map(v.parse(metricsRows, [...rows]).map(({ userId, ...metrics }) => [userId, metrics]));
}
