import { type CSSProperties, type ReactNode, useCallback, useEffect, useState } from "react";
import { countOf } from "#client/base/format/count.ts";
import { formatChange } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useApi } from "#client/base/page/context.ts";
import { useView, type View } from "#client/events/view.ts";
import { formatRank, rankedBy } from "#client/leaderboard/rank-texts.ts";
import { sessionPath } from "#client/sessions/load-session.ts";
import { Icon } from "#client/ui/icon.tsx";
import { say } from "#src/http/contract.ts";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import type { MostWon, StageAnswer } from "#src/show/stage/schemas.ts";

const TEAMS_SHOWN = 3;
const PODIUM_RANKS = 3;

/** How a session ended: the teams, two crowns, and the first three players. */
export function HowItEnded() {
  const { state } = useView();
  const { leaders, mostWon, teams, isKnown } = useEnd();
  const hasTeams = teamNamesOf(state).length > 0;
  return (
    <>
      {hasTeams ? <EndTeams shown={teams} /> : null}
      {leaders.length === 0 ? (
        <p className="say fit">{isKnown ? "Nobody won or lost this time." : null}</p>
      ) : (
        <>
          <Crowns leaders={leaders} mostWon={mostWon} />
          {hasTeams ? <h2 className="small strong">{words.players}</h2> : null}
          <Podium leaders={leaders} />
          <p className="tiny ink2">{rankedBy}</p>
        </>
      )}
    </>
  );
}

type Leaders = { leaders: readonly ScoreView[] };
type CrownsProps = Leaders & { mostWon: MostWon | null };

/** Who was right most often, which makes the ranks, and who has won the most money: not always the same. */
function Crowns({ leaders, mostWon }: CrownsProps) {
  const first = leaders.filter(({ rank }) => rank === 1);
  const [right] = first;
  if (right === undefined || right.wins === 0) return null;
  return (
    <dl className="crowns">
      <Crown title="Most right" amount={countOf(right.wins, "question")}>
        {first.length === 1 ? right.username : say`${right.username} and ${first.length - 1} more`}
      </Crown>
      {mostWon === null ? null : (
        <Crown title="Most won" amount={formatChange(mostWon.netCents)}>
          {mostWon.username}
        </Crown>
      )}
    </dl>
  );
}

function Crown({ title, amount, children }: { title: string; amount: string; children: ReactNode }) {
  return (
    <div>
      <dt className="row nowrap">
        <Icon name="trophy" size="s" />
        <span>{title}</span>
        <span className="num">{amount}</span>
      </dt>
      <dd className="clip strong" translate="no">
        {children}
      </dd>
    </div>
  );
}

function Podium({ leaders }: Leaders) {
  const { me } = useView().state;
  return (
    <ol className="list" aria-label={words.theFirstThree}>
      {leaders.slice(0, PODIUM_RANKS).map((score) => (
        <EndRow
          key={score.userId}
          rank={score}
          name={score.username}
          mine={score.userId === me?.userId}
          record={`${score.wins} won, ${score.losses} lost`}
          amountCents={score.netCents}
        />
      ))}
    </ol>
  );
}

/** How the teams ended: the first three, and the viewer's own. Nothing where none has a result. */
function EndTeams({ shown }: { shown: StageAnswer["teams"] | undefined }) {
  const { state } = useView();
  const answer = useEndTeams();
  const teams = state.teams ?? answer?.teams ?? shown ?? [];
  if (answer !== null && teams.length === 0) return null;
  const mine = answer?.mine ?? null;
  // They have their place before they come.
  const style: ListStyle = { "--rows": Math.min(TEAMS_SHOWN, teamNamesOf(state).length) };
  return (
    <>
      <h2 className="small strong">{words.teams}</h2>
      <ol className="list" aria-label="The first teams, by score" style={style}>
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
      </ol>
    </>
  );
}
type ListStyle = CSSProperties & { "--rows": number };

/** Processes of the release before leave them out. */
function teamNamesOf({ session: { settings } }: View["state"]): readonly string[] {
  return "teams" in settings ? settings.teams : [];
}

/**
 * The server brings what a page of a session that is over shows; a page on which it has just ended fetches it.
 * @param load fetches it; always the same function. Null: it is there.
 */
function useFetchedAtEnd<Found>(load: (() => Promise<Found>) | null): Found | null {
  const [fetched, setFetched] = useState<Found | null>(null);
  useEffect(() => {
    load?.().then(
      (found) => setFetched(() => found),
      // Then the card shows the rest.
      () => undefined,
    );
  }, [load]);
  return fetched;
}

/** Nothing in a session without teams, and for signed-out viewers. */
function useEndTeams(): TeamsAnswer | null {
  const { data, state, watching } = useView();
  const { slug } = state.session;
  const api = useApi();
  const isMissing = data.finalTeams === undefined && !watching && teamNamesOf(state).length > 0;
  const load = useCallback(
    () => api.get("/api/v1/scores/teams", { query: { sessionId: slug } }),
    [api, slug],
  );
  const fetched = useFetchedAtEnd(isMissing ? load : null);
  return fetched ?? data.finalTeams ?? null;
}

type End = CrownsProps & { teams: StageAnswer["teams"] | undefined; isKnown: boolean };

/**
 * How the session ended, as the page came with it, and else as the big screen says it. That is for everybody: so who watches without an
 * account reads it too.
 */
function useEnd(): End {
  const { data, state } = useView();
  const api = useApi();
  const { slug } = state.session;
  const load = useCallback(() => api.get(`${sessionPath(slug)}/stage`), [api, slug]);
  const shown = useFetchedAtEnd(data.mostWon === undefined ? load : null);
  if (shown === null) {
    const { mostWon } = data;
    return {
      leaders: state.leaders,
      mostWon: mostWon ?? null,
      teams: undefined,
      isKnown: mostWon !== undefined,
    };
  }
  const leaders = state.leaders.length === 0 ? shown.leaders : state.leaders;
  return { leaders, mostWon: shown.evening?.mostWon ?? null, teams: shown.teams, isKnown: true };
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
