import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { whole } from "#src/wallet/whole.ts";
import type { LeadersAnswer, ScoreView } from "./contract.ts";
import { presentScore, type ScoreRow } from "./present-score.ts";

const scoreRows = v.array(
  v.object({
    userId: whole,
    username: v.string(),
    avatar: v.unknown(),
    wins: whole,
    losses: whole,
    pushes: whole,
    netCents: whole,
    wageredCents: whole,
    currentStreak: whole,
    bestStreak: whole,
    rank: whole,
    sharing: whole,
    rankBefore: v.nullable(whole),
    totalCount: whole,
  }),
);

type Scope = { sessionId: number | null };

/**
 * The first of a session (or of everything, where `sessionId` is null), and the viewer's own score wherever it stands.
 * Order: wins down, losses up, net down; equals share a rank (1-2-2-4).
 */
export async function findLeaders(
  db: Queryable,
  { sessionId, limit, viewerId }: Scope & { limit: number; viewerId: number | null },
): Promise<LeadersAnswer> {
  const rows = await selectScores(db, sessionId, sql`WHERE place <= ${limit} OR user_id = ${viewerId ?? 0}`);
  const mine = rows.find((row) => row.userId === viewerId);
  return {
    leaders: rows.slice(0, limit).map((row) => presentScore(row, sessionId)),
    me: mine === undefined ? null : presentScore(mine, sessionId),
    totalCount: rows[0]?.totalCount ?? 0,
  };
}

/** One player's score as it stands in the whole table; null where there is none. */
export async function findScore(
  db: Queryable,
  { sessionId, userId }: Scope & { userId: number },
): Promise<ScoreView | null> {
  const [row] = await selectScores(db, sessionId, sql`WHERE user_id = ${userId}`);
  return row === undefined ? null : presentScore(row, sessionId);
}

/** One page of the whole table, in the same order, and how many players it has. */
export async function findScores(
  db: Queryable,
  { sessionId, limit, offset }: Scope & { limit: number; offset: number },
): Promise<{ scores: ScoreView[]; totalCount: number }> {
  // The first place comes along for its count, should the page lie behind the end.
  const rows = await selectScores(
    db,
    sessionId,
    sql`WHERE place = 1 OR place > ${offset} AND place <= ${offset + limit}`,
  );
  return {
    scores: rows.slice(offset > 0 ? 1 : 0).map((row) => presentScore(row, sessionId)),
    totalCount: rows[0]?.totalCount ?? 0,
  };
}

/**
 * Ranks everybody in one query. The rank before is the same table without the event that was resolved last; who had no score
 * then has none.
 */
async function selectScores(db: Queryable, sessionId: number | null, which: SQL): Promise<ScoreRow[]> {
  const inScope = (table: SQL) => (sessionId === null ? sql`TRUE` : sql`${table}.session_id = ${sessionId}`);
  const ofScope = sessionId === null ? sql`s.session_id IS NULL` : inScope(sql`s`);
  const rows = await db.execute(sql`
    WITH last AS (
      SELECT event_id FROM results r WHERE ${inScope(sql`r`)} ORDER BY resolved_at DESC, event_id DESC LIMIT 1
    ),
    told AS (
      SELECT s.*, s.played - (r.user_id IS NOT NULL)::int AS played_before,
        s.wins - (coalesce(r.net_cents, 0) > 0)::int AS wins_before,
        s.losses - (coalesce(r.net_cents, 0) < 0)::int AS losses_before,
        s.net_cents - coalesce(r.net_cents, 0) AS net_before
      FROM scores s LEFT JOIN results r ON r.event_id = (SELECT event_id FROM last) AND r.user_id = s.user_id
      WHERE ${ofScope}
    ),
    ranked AS (
      SELECT told.*, rank() OVER (ORDER BY wins DESC, losses, net_cents DESC) AS rank,
        row_number() OVER (ORDER BY wins DESC, losses, net_cents DESC, user_id) AS place,
        rank() OVER (PARTITION BY played_before > 0 ORDER BY wins_before DESC, losses_before, net_before DESC) AS rank_before,
        count(*) OVER () AS total
      FROM told
    ),
    shared AS (SELECT ranked.*, count(*) OVER (PARTITION BY rank) AS sharing FROM ranked)
    SELECT user_id AS "userId", users.username, users.avatar, wins, losses, played - wins - losses AS pushes,
      net_cents AS "netCents", wagered_cents AS "wageredCents", current_streak AS "currentStreak",
      best_streak AS "bestStreak", rank, sharing, CASE WHEN played_before > 0 THEN rank_before END AS "rankBefore",
      total AS "totalCount"
    FROM (SELECT * FROM shared ${which}) AS chosen JOIN users ON users.id = user_id ORDER BY place`);
  return v.parse(scoreRows, [...rows]);
}
