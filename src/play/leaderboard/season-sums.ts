import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import type { Rankings } from "./ranking-cache.ts";
import { type ScoreSums, sums, sumsColumns } from "./score-sums.ts";
import { type Season, seasonScores } from "./season-scores.ts";

/** The players to show, and the ranking that has their ranks. */
export type Shown = { rankings: Rankings; userIds: readonly number[] };

/** By the ranking, null for players without a score: streaks need all results of a player, which the ranking's change alone changes. */
const sumsByRanking = new WeakMap<Rankings, Map<number, ScoreSums | null>>();
const sumsRows = v.array(v.object({ userId: wholeNumber, ...sums }));

/** The sums of these players in a season, and maybe those of others too. */
export async function readSeasonSums(
  db: Queryable,
  season: Season,
  { rankings, userIds }: Shown,
): Promise<ReadonlyMap<number, ScoreSums | null>> {
  const known = sumsByRanking.get(rankings) ?? new Map<number, ScoreSums | null>();
  sumsByRanking.set(rankings, known);
  const unknown = userIds.filter((userId) => !known.has(userId));
  if (unknown.length === 0) return known;
  const rows = await db.execute(sql`WITH ${seasonScores(season, unknown)}
    SELECT s.user_id AS "userId", ${sumsColumns} FROM expected_scores s
      LEFT JOIN results r ON r.event_id = ${rankings.lastEventId} AND r.user_id = s.user_id`);
  for (const userId of unknown) known.set(userId, null);
  for (const { userId, ...row } of v.parse(sumsRows, [...rows])) known.set(userId, row);
  return known;
}
