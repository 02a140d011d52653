import { useEffect } from "react";
import { formatChange } from "#client/base/format/money.ts";
import { useView } from "#client/events/view.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { showToast } from "#client/ui/toast.tsx";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { teamsTexts } from "./phone-texts.ts";
import type { OwnTeams } from "./use-teams.ts";

/** The sessions whose team this page has told the viewer. */
const told = new Set<number>();

/** The teams in the sheet of the leaders, by rank, and a button to join each while the viewer may choose. */
export function OwnTeamsList({ answer, choose }: OwnTeams) {
  const { session, teams = answer.teams } = useView().state;
  const { mine, changeable } = answer;
  useTellTeam(session.id, answer);
  return (
    <>
      <ol className="list" aria-label={teamsTexts.title}>
        {teams.map((team) => (
          <li key={team.number} className={team.number === mine ? "dense me" : "dense"}>
            <b className="rank num">{formatRank(team)}</b>
            <span className="grow">
              <span className={team.number === mine ? "clip strong" : "clip"} translate="no">
                {team.number === mine ? teamsTexts.mine(team.name) : team.name}
              </span>
              <span className="tiny ink2 num">{teamsTexts.members(team.membersCount)}</span>
            </span>
            <span className="num small strong" translate="no">
              {formatChange(team.scoreCents)}
            </span>
            {changeable && team.number !== mine ? (
              <button
                className="btn sm"
                type="button"
                aria-label={teamsTexts.joinTeam(team.name)}
                onClick={() => choose(team.number)}
              >
                {teamsTexts.join}
              </button>
            ) : null}
          </li>
        ))}
      </ol>
      <p className="small ink2 nothing">
        <span>{teamsTexts.score}</span> {changeable ? <span>{teamsTexts.choose}</span> : null}
      </p>
    </>
  );
}

/** Says once which team the viewer plays for, while it can be changed: nobody was asked before the first call. */
function useTellTeam(sessionId: number, { teams, mine, changeable }: TeamsAnswer): void {
  const name = changeable ? (teams.find(({ number }) => number === mine)?.name ?? null) : null;
  useEffect(() => {
    if (name === null || told.has(sessionId)) return;
    told.add(sessionId);
    showToast({ icon: "info", text: teamsTexts.youPlayFor(name) });
  }, [name, sessionId]);
}
