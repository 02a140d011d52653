import { useEffect, useState } from "react";
import { useApi } from "#client/base/page/context.ts";
import { useView } from "#client/events/view.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { EndRow } from "./end-row.tsx";
import { endTexts } from "./end-texts.ts";

const TEAMS_SHOWN = 3;

/** How the teams ended: the first three, and the viewer's own. Nothing in a session without teams, and for signed-out viewers. */
export function EndTeams() {
  const { state } = useView();
  const answer = useEndTeams();
  if (answer === null || answer.teams.length === 0) return null;
  const { mine } = answer;
  const teams = state.teams ?? answer.teams;
  return (
    <ol className="list" aria-label={endTexts.teams}>
      {teams
        .filter(({ number }, index) => index < TEAMS_SHOWN || number === mine)
        .map((team) => (
          <EndRow
            key={team.number}
            rank={team}
            name={team.name}
            mine={team.number === mine}
            record={endTexts.members(team.membersCount)}
            amountCents={team.scoreCents}
          />
        ))}
    </ol>
  );
}

/** The server brings the teams with the page of a session that is over; a page on which it has just ended fetches them. */
function useEndTeams(): TeamsAnswer | null {
  const { data, state, watching } = useView();
  const { slug, settings } = state.session;
  const api = useApi();
  const [fetched, setFetched] = useState<TeamsAnswer | null>(null);
  const hasTeams = "teams" in settings && settings.teams.length > 0;
  const isMissing = data.finalTeams === undefined && !watching && hasTeams;
  useEffect(() => {
    if (!isMissing) return;
    api.get("/api/v1/scores/teams", { query: { sessionId: slug } }).then(
      setFetched,
      // Then the card shows the players alone.
      () => undefined,
    );
  }, [api, slug, isMissing]);
  return fetched ?? data.finalTeams ?? null;
}
