import { useEffect, useRef, useState } from "react";
import { Form, Link, useActionData, useLoaderData, useParams, useRevalidator } from "react-router";
import { countOf } from "#client/base/format/count.ts";
import * as words from "#client/base/format/words.ts";
import { listen } from "#client/base/live/cable.ts";
import { usePage, useViewer } from "#client/base/page/context.ts";
import { CHOOSE_TEAM, TeamsPanel } from "#client/teams/team-list.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { CsrfField } from "#client/ui/csrf-field.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useHere } from "#client/ui/use-here.ts";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { LeaderboardView } from "./leaderboard-view.tsx";
import type { Leaderboard, LeadersData } from "./load-leaders.ts";
import type { ManageResult } from "./manage-leaders.ts";
import { Scope } from "./scope.tsx";

/** The session's leaderboard: the first players, or one page of all. */
export function LeadersScreen() {
  const { leaders } = useLoaderData<LeadersData>();
  const sessionId = useHere().session?.id ?? null;
  const { slug = null } = useParams();
  return (
    <PageLayout title={words.leaders} actions={<Scope shown="session" slug={slug} />}>
      <WhenLoaded data={leaders}>
        {(data) => (
          <>
            <LeaderboardView slug={slug} sessionId={sessionId} data={data}>
              {(leaderboard) => <MorePlayers leaderboard={leaderboard} />}
            </LeaderboardView>
            {data.teams === null || sessionId === null ? null : (
              <LeadersTeams sessionId={sessionId} answer={data.teams} players={data.leaderboard.scores} />
            )}
          </>
        )}
      </WhenLoaded>
    </PageLayout>
  );
}

function MorePlayers({ leaderboard: { meta, scores, totalCount } }: { leaderboard: Leaderboard }) {
  if (meta === null) {
    return totalCount > scores.length ? (
      <p className="small">
        <Link to="?page=1">{`All ${countOf(totalCount, "player")}`}</Link>
      </p>
    ) : null;
  }
  return (
    <div className="row wrap">
      <Pagination meta={meta} />
      <Link className="small" to="?">
        Only the first
      </Link>
    </div>
  );
}

type LeadersTeamsProps = {
  sessionId: number;
  answer: TeamsAnswer;
  /** The ranked players that the page shows. */
  players: readonly ScoreView[];
};

/** The teams of the session below its players. Players choose theirs here, and hosts move a player. */
function LeadersTeams({ sessionId, answer, players }: LeadersTeamsProps) {
  const { revalidate } = useRevalidator();
  const live = useLiveTeams(answer, { sessionId, reload: () => void revalidate() });
  const result = useActionData<ManageResult>();
  const viewer = useViewer();
  const isHost = viewer !== null && rolesIn(viewer, sessionId).includes("admin");
  if (isHost)
    return (
      <div className="split">
        <TeamsPanel answer={live} />
        {players.length === 0 ? null : <MovePlayer answer={live} players={players} />}
      </div>
    );
  return (
    <>
      {result !== undefined && "refusal" in result ? <Note tone="bad">{result.refusal}</Note> : null}
      <TeamsPanel answer={live} />
    </>
  );
}

/** For hosts: moves a player to another team. */
function MovePlayer({ answer: { teams }, players }: Omit<LeadersTeamsProps, "sessionId">) {
  const inOrder = teams.toSorted((one, other) => one.number - other.number);
  return (
    <Panel title="Move a player to a team">
      <Form className="stack body" method="post" preventScrollReset>
        <CsrfField />
        <Choice
          id="moved-player"
          label={words.player}
          name="user_id"
          options={players.map(({ userId, username }) => ({ value: String(userId), label: username }))}
        />
        <Choice
          label="Team"
          name="number"
          options={inOrder.map(({ number, name }) => ({ value: String(number), label: name }))}
        />
        <Submit className="btn" intent={CHOOSE_TEAM}>
          Move
        </Submit>
      </Form>
    </Panel>
  );
}

type Source = {
  sessionId: number;
  /** Loads the teams again, after messages were missed. */
  reload: () => void;
};

/** The teams as loaded, with their scores from the messages about the leaders, which bring them along. */
function useLiveTeams(loaded: TeamsAnswer, { sessionId, reload }: Source): TeamsAnswer {
  const { cableUrl, streamOffsets } = usePage();
  const offset = streamOffsets.session?.id === sessionId ? streamOffsets.session : null;
  const [heard, setHeard] = useState<{ loaded: TeamsAnswer; teams: TeamsAnswer["teams"] } | null>(null);
  const latest = useRef({ loaded, reload });
  useEffect(() => {
    latest.current = { loaded, reload };
  });
  useEffect(
    () =>
      listen(
        cableUrl,
        { channel: "SessionsChannel", id: String(sessionId), offset },
        {
          missed: () => latest.current.reload(),
          received: (message) => {
            if (message.sourceType !== "Score" || message.detail.teams === undefined) return;
            setHeard({ loaded: latest.current.loaded, teams: message.detail.teams });
          },
        },
      ),
    [cableUrl, sessionId, offset],
  );
  // Newly loaded data replaces what the messages have brought.
  return heard?.loaded === loaded ? { ...loaded, teams: heard.teams } : loaded;
}
