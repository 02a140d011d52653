import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { whole } from "#src/wallet/whole.ts";
import { findExclusion } from "./find-exclusion.ts";
import { inScope, notExcluded } from "./in-scope.ts";
import { presentScore } from "./present-score.ts";
import { rankBefore, rankIn, readStandings, type Standings } from "./read-standings.ts";
import type { LeadersAnswer, ScoreView } from "./schemas.ts";

type Scope = { sessionId: number | null };

/**
 * The first of a session (or of everything, where `sessionId` is null), and the viewer's own score wherever it stands.
 * Order: wins down, losses up, net down; equals share a rank (1-2-2-4). Who is excluded is not in it.
 */
export async function findLeaders(
  db: Queryable,
  { sessionId, limit, viewerId }: Scope & { limit: number; viewerId: number | null },
): Promise<LeadersAnswer> {
  const standings = await readStandings(db, sessionId);
  const first = standings.ladder.playersFrom(0, limit);
  const wanted = viewerId === null || first.includes(viewerId) ? first : [...first, viewerId];
  const [scores, exclusion] = await Promise.all([
    selectScores(db, sessionId, { standings, userIds: wanted }),
    viewerId === null ? null : findExclusion(db, { sessionId, userId: viewerId }),
  ]);
  return {
    leaders: inOrder(scores, first),
    me: (viewerId === null ? undefined : scores.get(viewerId)) ?? null,
    exclusion,
    totalCount: standings.ladder.size,
  };
}

/** One player's score as it stands in the whole table; null where there is none. */
export async function findScore(
  db: Queryable,
  { sessionId, userId }: Scope & { userId: number },
): Promise<ScoreView | null> {
  const standings = await readStandings(db, sessionId);
  return (await selectScores(db, sessionId, { standings, userIds: [userId] })).get(userId) ?? null;
}

/** One page of the whole table, in the same order, and how many players it has. */
export async function findScores(
  db: Queryable,
  { sessionId, limit, offset }: Scope & { limit: number; offset: number },
): Promise<{ scores: ScoreView[]; totalCount: number }> {
  const standings = await readStandings(db, sessionId);
  const userIds = standings.ladder.playersFrom(offset, limit);
  const scores = await selectScores(db, sessionId, { standings, userIds });
  return { scores: inOrder(scores, userIds), totalCount: standings.ladder.size };
}

function inOrder(scores: Map<number, ScoreView>, userIds: readonly number[]): ScoreView[] {
  return userIds.flatMap((userId) => scores.get(userId) ?? []);
}

const scoreRows = v.array(
  v.object({
    userId: whole,
    username: v.string(),
    avatar: v.unknown(),
    played: whole,
    wins: whole,
    losses: whole,
    netCents: whole,
    wageredCents: whole,
    currentStreak: whole,
    bestStreak: whole,
    /** The player's net on the last event of the table; null for who did not play it. */
    lastNetCents: v.nullable(whole),
  }),
);

/** The scores of these players by their ids, with their places. Who has none or is excluded is not in the map. */
async function selectScores(
  db: Queryable,
  sessionId: number | null,
  { standings, userIds }: { standings: Standings; userIds: readonly number[] },
): Promise<Map<number, ScoreView>> {
  if (userIds.length === 0) return new Map();
  const rows = await db.execute(sql`
    SELECT s.user_id AS "userId", u.username, u.avatar, s.played, s.wins, s.losses, s.net_cents AS "netCents",
      s.wagered_cents AS "wageredCents", s.current_streak AS "currentStreak", s.best_streak AS "bestStreak",
      r.net_cents AS "lastNetCents"
    FROM scores s JOIN users u ON u.id = s.user_id
      LEFT JOIN results r ON r.event_id = ${standings.lastEventId} AND r.user_id = s.user_id
    WHERE s.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND ${inScope(sessionId)}
      AND ${notExcluded(sessionId)}`);
  return new Map(
    v.parse(scoreRows, [...rows]).map((row) => {
      const places = { ...rankIn(standings, row), rankBefore: placeBefore(standings, row) };
      return [row.userId, presentScore({ ...row, ...places }, sessionId)];
    }),
  );
}

/** Where the player stood before the last event of the table; null where there was no score yet. */
function placeBefore(standings: Standings, row: v.InferOutput<typeof scoreRows>[number]): number | null {
  const net = row.lastNetCents;
  if (net === null) return rankBefore(standings, row);
  if (row.played <= 1) return null;
  return rankBefore(standings, {
    wins: row.wins - (net > 0 ? 1 : 0),
    losses: row.losses - (net < 0 ? 1 : 0),
    netCents: row.netCents - net,
  });
}
