import { and, desc, eq, gt, isNotNull, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryFirst, wholeNumber } from "#db/ledger/query.ts";
import { results, scores } from "#db/schema/scores.ts";
import { seasons } from "#db/schema/seasons.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { dollarsOf } from "#src/http/money.ts";
import { hasPrivate, isRemoved } from "#src/play/access-denied.ts";
import { selectSeasons } from "#src/play/find-season.ts";
import { isRight } from "#src/play/leaderboard/expected-scores.ts";
import { findLeaders, findScore } from "#src/play/leaderboard/find-scores.ts";
import { presentSeason } from "#src/play/seasons/manage-seasons.ts";
import { RECORD_SEASONS_MAX } from "./contract.ts";
import type { RecordsView } from "./schemas.ts";

/*
 * Decision: records are computed from results and scores when they are asked for, and not stored. So a corrected result, a merged guest and an
 * erased account need nothing more. A private show is never named, also not to its own players: records are what a player shows around.
 */

type RecordDeps = Pick<Deps, "pool" | "env">;
/** `shown`: to everybody, so that the best night is one of a show that is for everybody. */
type Whose = { userId: number; shown?: boolean };

export async function findRecords(deps: RecordDeps, { userId, shown = false }: Whose): Promise<RecordsView> {
  const { db } = deps.pool;
  const [longestStreak, bestNight, ranks] = await Promise.all([
    findLongest(db, userId),
    findBestNight(db, { userId, shown }),
    findSeasonRanks(deps, userId),
  ]);
  return { longestStreak, bestNight, seasons: ranks };
}

const streakRow = v.object({ length: wholeNumber, from: v.date(), until: v.date() });

/** The longest streak over all shows; of equal ones the first. It is counted as on the card and in the history. */
async function findLongest(db: Queryable, userId: number): Promise<RecordsView["longestStreak"]> {
  const longest = await queryFirst(db, streakRow)`
    WITH runs AS (
      SELECT resolved_at, ${isRight} AS is_right,
        count(*) FILTER (WHERE net_cents < 0) OVER (ORDER BY resolved_at, event_id) AS run
      FROM ${results} WHERE user_id = ${userId}
    )
    SELECT count(*) AS length, min(resolved_at) AS from, max(resolved_at) AS until
    FROM runs WHERE is_right GROUP BY run ORDER BY length DESC, run LIMIT 1`;
  if (longest === null) return null;
  const { length, from, until } = longest;
  return { length, from: from.toISOString(), until: until.toISOString() };
}

/** The session with the largest net above zero; of equal ones the first. */
async function findBestNight(
  db: Queryable,
  { userId, shown }: { userId: number; shown: boolean },
): Promise<RecordsView["bestNight"]> {
  const isHidden = sql<boolean>`${hasPrivate(sessions.settings)} OR ${isRemoved(sessions.id, scores.userId)}`;
  const isBest: (SQL | undefined)[] = [
    eq(scores.userId, userId),
    isNotNull(scores.sessionId),
    gt(scores.netCents, 0),
    ...(shown ? [sql`NOT (${isHidden})`] : []),
  ];
  const [best] = await db
    .select({
      netCents: scores.netCents,
      at: scores.lastResolvedAt,
      wins: scores.wins,
      losses: scores.losses,
      slug: sessions.slug,
      name: sessions.name,
      isHidden,
    })
    .from(scores)
    .innerJoin(sessions, eq(sessions.id, scores.sessionId))
    .where(and(...isBest))
    .orderBy(desc(scores.netCents), scores.lastResolvedAt)
    .limit(1);
  if (best === undefined) return null;
  const { netCents, at, wins, losses, slug, name } = best;
  const session = best.isHidden ? null : { slug, name };
  return { net: dollarsOf(netCents), netCents, wins, losses, at: at.toISOString(), session };
}

/** The player's ranks in the newest seasons in which the player has a result, the newest first. */
async function findSeasonRanks(deps: RecordDeps, userId: number): Promise<RecordsView["seasons"]> {
  const played = sql`EXISTS (SELECT 1 FROM ${results} r WHERE r.user_id = ${userId}
    AND r.resolved_at >= ${seasons.startsAt} AND r.resolved_at < ${seasons.endsAt})`;
  const rows = (await selectSeasons(deps.pool.db, played)).toReversed().slice(0, RECORD_SEASONS_MAX);
  const ranks = await Promise.all(
    rows.map(async (season) => {
      const board = { sessionId: null, season };
      const [score, { totalCount }] = await Promise.all([
        findScore(deps, { ...board, userId }),
        findLeaders(deps, { ...board, limit: 0, viewerId: null }),
      ]);
      if (score === null) return [];
      const { rank, tied, net, netCents } = score;
      return [{ season: presentSeason(season), rank, tied, playersCount: totalCount, net, netCents }];
    }),
  );
  return ranks.flat();
}
