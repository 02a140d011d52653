import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { wholeNumber } from "#db/ledger/query.ts";
import { batchReads } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { isRanked } from "#src/play/leaderboard/score-conditions.ts";
import { rankTeams, suggestTeam } from "./rank-teams.ts";
import { type OfferedTeams, storedTeams, type TeamView } from "./schemas.ts";
import { teamMembers } from "./team-members.ts";

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
    const [row] = await pool.db.execute(sql`
      SELECT z.settings -> 'teams' AS names, coalesce((
        SELECT json_agg(json_build_object('number', t.team, 'membersCount', t.members, 'playersCount', t.players,
          'netCents', t.net))
        FROM (
          SELECT g.team, count(*) FILTER (WHERE g.here) AS members, count(s.user_id) AS players, coalesce(sum(s.net_cents), 0) AS net
          FROM ${teamMembers} g LEFT JOIN scores s
            ON s.user_id = g.user_id AND s.session_id = g.session_id AND ${isRanked(board)}
          WHERE g.session_id = z.id AND g.team IS NOT NULL AND z.settings @? '$.teams[*]' GROUP BY g.team
        ) t), '[]') AS sums
      FROM sessions z WHERE z.id = ${sessionId}`);
    const { names, sums } = row === undefined ? { names: [], sums: [] } : v.parse(found, row);
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
  const [row] = await db.execute(sql`
    SELECT z.settings -> 'teams' AS names, coalesce((
      SELECT json_agg(json_build_array(g.user_id, g.team)) FROM ${teamMembers} g
      WHERE g.session_id = z.id AND g.team IS NOT NULL AND z.settings @? '$.teams[*]'), '[]') AS numbers
    FROM sessions z WHERE z.id = ${sessionId}`);
  if (row === undefined) return { names: [], numberOf: new Map() };
  const { names, numbers } = v.parse(members, row);
  return { names, numberOf: new Map(numbers) };
}
