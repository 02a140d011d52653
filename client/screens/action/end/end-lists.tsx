import { type CSSProperties, type ReactNode, useEffect, useState } from "react";
import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView, type View } from "#client/events/view.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";

const TEAMS_SHOWN = 3;
const PODIUM_RANKS = 3;

/** The first three players. */
export function Podium() {
  const { state } = useView();
  const { leaders, me } = state;
  const first = leaders.slice(0, PODIUM_RANKS);
  if (first.length === 0) return <p className="say fit">Nobody won or lost this time.</p>;
  return (
    <EndList title={teamNamesOf(state).length === 0 ? null : words.players} label={words.theFirstThree}>
      {first.map((score) => (
        <EndRow
          key={score.userId}
          rank={score}
          name={score.username}
          mine={score.userId === me?.userId}
          record={`${score.wins} won, ${score.losses} lost`}
          amountCents={score.netCents}
        />
      ))}
    </EndList>
  );
}

/** How the teams ended: the first three, and the viewer's own. Nothing in a session without teams, and for signed-out viewers. */
export function EndTeams() {
  const { state } = useView();
  const answer = useEndTeams();
  const named = teamNamesOf(state);
  const teams = state.teams ?? answer?.teams ?? [];
  if (named.length === 0 || (answer !== null && teams.length === 0)) return null;
  const mine = answer?.mine ?? null;
  // They have their place before they come.
  const style: CSSProperties & { "--rows": number } = { "--rows": Math.min(TEAMS_SHOWN, named.length) };
  return (
    <EndList title={words.teams} label="The first teams, by score" style={style}>
      {teams
        .filter(({ number }, index) => index < TEAMS_SHOWN || number === mine)
        .map((team) => (
          <EndRow
            key={team.number}
            rank={team}
            name={team.name}
            mine={team.number === mine}
            record={countOf(team.membersCount, "player")}
            amountCents={team.scoreCents}
          />
        ))}
    </EndList>
  );
}

/** Processes of the release before leave them out. */
function teamNamesOf({ session: { settings } }: View["state"]): readonly string[] {
  return "teams" in settings ? settings.teams : [];
}

type EndListProps = { title: string | null; label: string; style?: CSSProperties; children: ReactNode };

/** A list with its heading: teams and players each have a first place. */
function EndList({ title, label, style, children }: EndListProps) {
  return (
    <div>
      {title === null ? null : <h2 className="small ink2">{title}</h2>}
      <ol className="list" aria-label={label} style={style}>
        {children}
      </ol>
    </div>
  );
}

/** The server brings the teams with the page of a session that is over; a page on which it has just ended fetches them. */
function useEndTeams(): TeamsAnswer | null {
  const { data, state, watching } = useView();
  const { slug } = state.session;
  const api = useApi();
  const [fetched, setFetched] = useState<TeamsAnswer | null>(null);
  const isMissing = data.finalTeams === undefined && !watching && teamNamesOf(state).length > 0;
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

type EndRowProps = {
  rank: Parameters<typeof formatRank>[0];
  name: string;
  mine: boolean;
  record: string;
  amountCents: number;
};

/** A player or a team among the first three. */
function EndRow({ rank, name, mine, record, amountCents }: EndRowProps) {
  return (
    <li className={mine ? "dense me" : "dense"}>
      <span className="strong num rank">{formatRank(rank)}</span>
      <span className={mine ? "grow clip strong" : "grow clip"} translate="no">
        {name}
      </span>
      <span className="small">{record}</span>
      <span className="num small strong end-net" translate="no">
        {formatChange(amountCents)}
      </span>
    </li>
  );
}
