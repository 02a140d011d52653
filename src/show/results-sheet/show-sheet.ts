import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";
import type { Deps } from "#src/base/deps.ts";
import { present } from "#src/http/present.ts";
import { type Board, byRank, inScope, isRanked } from "#src/play/leaderboard/score-conditions.ts";
import { teamMembers } from "#src/play/teams/find-teams.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { type ResultsSheet, sheetAnswer, sheetPlayer, sheetQuestion } from "./schemas.ts";

// Decision: players come from the scores that leaderboards show, questions from the calls that the ledger has paid, both in one
// statement. So the two tables are of one moment, and their sums agree with each other and with the books.

const playerRow = v.omit(sheetPlayer, ["wagered", "returned", "net"]);
const questionRow = v.omit(sheetQuestion, ["truePool", "falsePool", "pool", "poolCents", "paid"]);
const sheetRow = v.object({
  players: v.nullable(v.array(playerRow)),
  questions: v.nullable(v.array(questionRow)),
});

/** The name of the team of user `u`; null in a session without teams. */
const teamIn = (sessionId: number): SQL => sql`(
  SELECT z.settings #>> ARRAY['teams', (g.team - 1)::text] FROM ${teamMembers} g JOIN sessions z ON z.id = g.session_id
  WHERE g.user_id = u.id AND g.session_id = ${sessionId})`;

export async function showSheet(
  { pool: { db }, env }: Pick<Deps, "pool" | "env">,
  slugOrId: string,
): Promise<ResultsSheet> {
  const session = await requireSession(db, slugOrId);
  const { players, questions } = await readSheet(db, { sessionId: session.id, rankGuests: env.rankGuests });
  const poolOf = (row: (typeof questions)[number]) => row.truePoolCents + row.falsePoolCents;
  return {
    session: present(sheetAnswer.entries.sheet.entries.session, session),
    players: players.map((player) => present(sheetPlayer, player)),
    questions: questions.map((row) => present(sheetQuestion, { ...row, poolCents: poolOf(row) })),
  };
}

/** What the results sheet of a session shows, without what follows from it. */
async function readSheet(db: Queryable, board: Board & { sessionId: number }) {
  const read = await queryRow(db, sheetRow)`
    SELECT (${players(board)}) AS players, (${questions(board.sessionId)}) AS questions`;
  return { players: read.players ?? [], questions: read.questions ?? [] };
}

/** A merged guest has no score of its own, and no registration: its account has them. */
function players(board: Board & { sessionId: number }): SQL {
  return sql`
    WITH played AS (
      SELECT user_id FROM scores s WHERE ${inScope(board.sessionId)}
      UNION SELECT user_id FROM registrations WHERE session_id = ${board.sessionId}
    ), ranked AS (
      SELECT s.user_id, rank() OVER (ORDER BY ${byRank}) AS rank
      FROM scores s WHERE ${inScope(board.sessionId)} AND ${isRanked(board)}
    )
    SELECT json_agg(json_build_object('userId', u.id, 'username', u.username, 'rank', k.rank, 'team', ${teamIn(board.sessionId)},
        'won', coalesce(s.wins, 0), 'lost', coalesce(s.losses, 0), 'wageredCents', coalesce(s.wagered_cents, 0),
        'returnedCents', coalesce(s.returned_cents, 0), 'netCents', coalesce(s.net_cents, 0))
      ORDER BY k.rank, s.user_id IS NULL, ${byRank}, u.id)
    FROM played p JOIN users u ON u.id = p.user_id LEFT JOIN ranked k ON k.user_id = p.user_id
      LEFT JOIN scores s ON s.user_id = p.user_id AND ${inScope(board.sessionId)}`;
}

function questions(sessionId: number): SQL {
  return sql`
    SELECT json_agg(json_build_object('eventId', e.id, 'position', e.position, 'question', e.title,
        'trueLabel', e.true_label, 'falseLabel', e.false_label, 'state', e.state, 'result', e.result,
        'openedAt', ${iso(sql`e.opened_at`)}, 'closedAt', ${iso(sql`e.closed_at`)},
        'resolvedAt', ${iso(sql`e.resolved_at`)}, 'callers', c.callers, 'truePoolCents', s.true_cents,
        'falsePoolCents', s.false_cents, 'paidCents', c.paid_cents, 'right', r.rights,
        'explanation', CASE WHEN e.result IS NULL THEN '' ELSE e.explanation END)
      ORDER BY e.position, e.id)
    FROM events e
      CROSS JOIN LATERAL (
        SELECT coalesce(sum(pool_cents) FILTER (WHERE side = 'true'), 0) AS true_cents,
          coalesce(sum(pool_cents) FILTER (WHERE side = 'false'), 0) AS false_cents
        FROM spots WHERE event_id = e.id
      ) s
      CROSS JOIN LATERAL (
        SELECT count(DISTINCT coalesce(u.merged_into, u.id)) AS callers, sum(payout_cents) AS paid_cents
        FROM calls JOIN users u ON u.id = user_id
        WHERE event_id = e.id AND round = e.round AND calls.state <> 'soft_destroyed'
      ) c
      LEFT JOIN LATERAL (
        SELECT count(*) FILTER (WHERE net_cents > 0 OR (refunded AND was_unopposed(e.id))) AS rights
        FROM results WHERE event_id = e.id
      ) r ON e.result <> 'void'
    WHERE e.session_id = ${sessionId} AND (e.state <> 'soft_destroyed' OR e.result IS NOT NULL)`;
}

function iso(at: SQL): SQL {
  return sql`to_char(${at} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
