import { dollarsOf } from "#src/http/money.ts";
import { QUIET_PLAYERS } from "./contract.ts";
import type { TeamView } from "./schemas.ts";

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
export function scoreOf({ netCents, playersCount }: Pick<TeamSums, "netCents" | "playersCount">): number {
  return netCents / (playersCount + QUIET_PLAYERS);
}

/** The number of the team with the fewest members, of equal ones the first; null without teams. */
export function suggestTeam(teams: readonly Pick<TeamView, "number" | "membersCount">[]): number | null {
  const [smallest] = teams.toSorted(
    (one, other) => one.membersCount - other.membersCount || one.number - other.number,
  );
  return smallest?.number ?? null;
}
