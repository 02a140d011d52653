import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryFirst, queryRow, wholeNumber } from "#db/ledger/query.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { dollarsOf } from "#src/http/money.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSessionId } from "#src/play/find-session-id.ts";
import { isRanked } from "#src/play/leaderboard/score-conditions.ts";
import { type OfferedTeams, storedTeams, type TeamsAnswer, type TeamView } from "./schemas.ts";

type FindDeps = Pick<Deps, "pool" | "env">;

const counts = { membersCount: wholeNumber, playersCount: wholeNumber, netCents: wholeNumber };
const found = v.object({
  names: storedTeams,
  sums: v.array(v.object({ number: wholeNumber, ...counts })),
});

/**
 * The teams of a session by rank; none if it has no teams. Only players who are on its leaderboard count in their team. All who ask at
 * the same moment share one read, which costs a session without teams the look at its row.
 */
export const findTeams: (deps: FindDeps, sessionId: number) => Promise<readonly TeamView[]> = batchReads(
  (sessionId: number) => sessionId,
  async ({ pool, env }: FindDeps, [sessionId]) => {
    const board = { sessionId, rankGuests: env.rankGuests };
    const row = await queryFirst(pool.db, found)`
      SELECT z.settings -> 'teams' AS names, coalesce((
        SELECT json_agg(json_build_object('number', t.team, 'membersCount', t.members, 'playersCount', t.players,
          'netCents', t.net))
        FROM (
          SELECT g.team, count(*) FILTER (WHERE g.here) AS members, count(s.user_id) AS players, coalesce(sum(s.net_cents), 0) AS net
          FROM ${teamMembers} g LEFT JOIN scores s
            ON s.user_id = g.user_id AND s.session_id = g.session_id AND ${isRanked(board)}
          WHERE g.session_id = z.id AND g.team IS NOT NULL AND z.settings @? '$.teams[*]' GROUP BY g.team
        ) t), '[]') AS sums
      FROM sessions z WHERE z.id = ${sessionId}`;
    const { names, sums } = row ?? { names: [], sums: [] };
    const teams = rankTeams(names, sums);
    return () => teams;
  },
);

/** The teams of a session for those who have not joined it. */
export async function offerTeams(deps: FindDeps, sessionId: number): Promise<OfferedTeams> {
  const teams = (await findTeams(deps, sessionId)).toSorted((one, other) => one.number - other.number);
  return {
    teams: teams.map(({ number, name, membersCount }) => ({ number, name, membersCount })),
    suggested: suggestTeam(teams),
  };
}

const members = v.object({
  names: storedTeams,
  numbers: v.array(v.tuple([wholeNumber, wholeNumber])),
});

/** The names of a session's teams, and the number of each player's team by the id of the player. */
export async function findTeamNumbers(
  db: Queryable,
  sessionId: number,
): Promise<{ names: string[]; numberOf: ReadonlyMap<number, number> }> {
  const row = await queryFirst(db, members)`
    SELECT z.settings -> 'teams' AS names, coalesce((
      SELECT json_agg(json_build_array(g.user_id, g.team)) FROM ${teamMembers} g
      WHERE g.session_id = z.id AND g.team IS NOT NULL AND z.settings @? '$.teams[*]'), '[]') AS numbers
    FROM sessions z WHERE z.id = ${sessionId}`;
  return { names: row?.names ?? [], numberOf: new Map(row?.numbers) };
}

/**
 * In SQL: the players of all sessions with their teams. `here` is false for a player whom a host has removed: what the player has won
 * and lost stays with the team.
 */
export const teamMembers = sql`(SELECT session_id, user_id, team, TRUE AS here FROM registrations
  UNION ALL SELECT session_id, user_id, team, FALSE FROM removed_players)`;

/** What the players of a team have won and lost together. */
export type TeamSums = Pick<TeamView, "number" | "membersCount" | "playersCount" | "netCents">;

/**
 * The teams of a session by rank.
 * @param names their names, in the order of their numbers.
 * @param sums of the teams that have members, in any order.
 */
export function rankTeams(names: readonly string[], sums: readonly TeamSums[]): TeamView[] {
  const sumsOf = new Map(sums.map((team) => [team.number, team]));
  const scored = names.map((name, index) => {
    const number = index + 1;
    const team = sumsOf.get(number) ?? { number, membersCount: 0, playersCount: 0, netCents: 0 };
    return { ...team, name, exact: scoreOf(team) };
  });
  return scored
    .map(({ exact, ...team }) => {
      const scoreCents = Math.round(exact) + 0;
      return {
        ...team,
        net: dollarsOf(team.netCents),
        score: dollarsOf(scoreCents),
        scoreCents,
        rank: scored.filter((other) => other.exact > exact).length + 1,
        tied: scored.some((other) => other.number !== team.number && other.exact === exact),
      };
    })
    .toSorted((one, other) => one.rank - other.rank || one.number - other.number);
}

/** The score of a team in cents, not rounded. */
function scoreOf({ netCents, playersCount }: Pick<TeamSums, "netCents" | "playersCount">): number {
  return netCents / (playersCount + QUIET_PLAYERS);
}

/** The number of the team with the fewest members, of equal ones the first; null without teams. */
function suggestTeam(teams: readonly Pick<TeamView, "number" | "membersCount">[]): number | null {
  const [smallest] = teams.toSorted(
    (one, other) => one.membersCount - other.membersCount || one.number - other.number,
  );
  return smallest?.number ?? null;
}

/**
 * So many more players count in each team, who have won nothing. A plain mean would let two lucky players win, a sum the largest team.
 */
const QUIET_PLAYERS = 5;

export async function showTeams(
  deps: Pick<Deps, "pool" | "env">,
  viewer: Pick<Viewer, "id" | "roles">,
  slugOrId: string,
): Promise<TeamsAnswer> {
  const { db } = deps.pool;
  const sessionId = await requireSessionId(db, slugOrId, viewer);
  const teams = await findTeams(deps, sessionId);
  const { team, fixed } = await findOwnTeam(db, { sessionId, userId: viewer.id });
  return {
    teams: [...teams],
    mine: teams.some(({ number }) => number === team) ? team : null,
    suggested: suggestTeam(teams),
    changeable: teams.length > 0 && !fixed,
  };
}

type Key = { sessionId: number; userId: number };
const own = v.object({ team: v.nullable(v.number()), fixed: v.boolean() });

/** The number of a player's team as it is stored; null: in none. `fixed`: only a host can change it, or nobody after the session. */
export function findOwnTeam(db: Queryable, { sessionId, userId }: Key): Promise<v.InferOutput<typeof own>> {
  return queryRow(db, own)`SELECT g.team, z.state = 'stopped' OR EXISTS (
    SELECT 1 FROM scores s WHERE s.user_id = ${userId} AND s.session_id = z.id) AS fixed
  FROM sessions z LEFT JOIN registrations g ON g.session_id = z.id AND g.user_id = ${userId}
  WHERE z.id = ${sessionId}`;
}
