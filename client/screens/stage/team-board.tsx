import { formatCount, countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import type { TeamView } from "#src/play/teams/schemas.ts";
import { PODIUM_SIZE } from "#src/show/stage/contract.ts";
import { widthOf } from "./text-width.ts";

type Teams = { teams: readonly TeamView[] };

/** From so many teams on they stand in two columns. */
const MANY = 6;
/** How wide a name may be in larger letters, in letters' heights. */
const LONG_NAME = 6.5;

/** Before the start: the teams in their order, and how many are in each. */
export function TeamsFilling({ teams }: Teams) {
  if (teams.length === 0) return null;
  const inOrder = teams.toSorted((one, other) => one.number - other.number);
  return (
    <ul className="team-strip" aria-label={words.teams}>
      {inOrder.map(({ number, name, membersCount }) => (
        <li key={number} translate="no">
          <bdi>{name}</bdi>
          {/* A new one for each number, as the number of all players is. */}
          <b key={membersCount} className="num">
            {formatCount(membersCount)}
          </b>
        </li>
      ))}
    </ul>
  );
}

/** Between the questions: all teams by rank. */
export function TeamStandings({ teams }: Teams) {
  return (
    <ol className="leaders teams" data-many={teams.length >= MANY ? "" : undefined} aria-label={words.teams}>
      {teams.map((team) => (
        <li key={team.number} className={`rank-${team.rank}`} translate="no">
          <b className="num">{formatRank(team)}</b>
          <bdi className="player-name" data-len={widthOf(team.name) > LONG_NAME ? "long" : undefined}>
            {team.name}
          </bdi>
          <span className="members num">{countOf(team.membersCount, "player")}</span>
          <span className="num net">{formatChange(team.scoreCents)}</span>
        </li>
      ))}
    </ol>
  );
}

/** At the end: the first three teams in a line, above the podium of the players. */
export function TeamsFinal({ teams }: Teams) {
  if (teams.length === 0) return null;
  return (
    <ol className="team-strip" aria-label={words.teams}>
      {teams.slice(0, PODIUM_SIZE).map((team) => (
        <li key={team.number} className={`rank-${team.rank}`} translate="no">
          <b className="num">{formatRank(team)}</b>
          <bdi>{team.name}</bdi>
          <span className="num net">{formatChange(team.scoreCents)}</span>
        </li>
      ))}
    </ol>
  );
}
