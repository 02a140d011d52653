import type { Queryable } from "#db/client.ts";
import { findCorrectionAfter } from "#db/ledger/list-settlements.ts";
import { queryColumn, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { results } from "#db/schema/scores.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasPrivate } from "#src/play/access-denied.ts";
import { requireSeason, type SeasonRow, selectSeasons } from "#src/play/find-season.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import { findLeaders } from "#src/play/leaderboard/find-scores.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import { decidedIn } from "#src/play/leaderboard/season-scores.ts";
import { PODIUM_RANKS } from "./contract.ts";
import { presentSeason } from "./manage-seasons.ts";
import type { PodiumPlace, SeasonsAnswer, ShownSeason } from "./schemas.ts";

/** All seasons, in the order of time. There are few: see SEASONS_MAX. */
export async function listSeasons({ pool }: Pick<Deps, "pool">): Promise<SeasonsAnswer> {
  return { seasons: (await selectSeasons(pool.db)).map((row) => presentSeason(row)) };
}

/** A season as everybody may read it, with its podium when it has ended. */
export async function showSeason(deps: Pick<Deps, "pool" | "env">, name: string): Promise<ShownSeason> {
  const { db } = deps.pool;
  const { publicUrl } = deps.env;
  const season = await requireSeason(db, name);
  const board = { sessionId: null, season, limit: LEADERS_DEFAULT, viewerId: null };
  const { leaders, totalCount } = await findLeaders(deps, board);
  return {
    ...presentSeason(season),
    daysLeft: season.daysLeft,
    url: `${publicUrl}/seasons/${season.slug}`,
    imageUrl: `${publicUrl}/api/v1/seasons/${season.id}/picture.png`,
    playersCount: totalCount,
    podium: season.state === "ended" ? await podiumOf(db, season, leaders) : [],
    correctedAt:
      season.state === "ended" ? ((await findCorrectionAfter(db, season))?.toISOString() ?? null) : null,
  };
}

/**
 * The first three ranks, for strangers. Who has played in private shows alone is left out: the podium would tell everybody that they were there.
 */
async function podiumOf(
  db: Queryable,
  season: SeasonRow,
  leaders: readonly ScoreView[],
): Promise<PodiumPlace[]> {
  const first = leaders.filter(({ rank }) => rank <= PODIUM_RANKS);
  const userIds = writeIntegerArray(first.map(({ userId }) => userId));
  const known = await queryColumn(db, wholeNumber)`SELECT DISTINCT r.user_id
    FROM ${results} r LEFT JOIN ${sessions} ON ${sessions.id} = r.session_id
    WHERE r.user_id = ANY (${userIds}::bigint[]) AND ${decidedIn(season)} AND NOT ${hasPrivate(sessions.settings)}`;
  return first.filter(({ userId }) => known.includes(userId)).map((score) => placeOf(score));
}

function placeOf(score: ScoreView): PodiumPlace {
  const { username, avatar, wins, losses, net, netCents, rank, tied } = score;
  return { username, avatar, wins, losses, net, netCents, rank, tied };
}
