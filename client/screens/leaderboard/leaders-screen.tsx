import { useState } from "react";
import { Link, useActionData, useLoaderData, useParams, useRevalidator, data } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { countOf } from "#client/base/format/count.ts";
import { formatChange, formatPerDollar, formatShare } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { useSessionMessages } from "#client/base/live/use-session-messages.ts";
import { useViewer, pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { CHOOSE_TEAM, TeamsPanel } from "#client/teams/team-list.tsx";
import { Avatar } from "#client/ui/avatar.tsx";
import { Choice } from "#client/ui/choice.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { PostForm } from "#client/ui/forms/post-form.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { rolesIn } from "#client/ui/navigation.ts";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel, ButtonLink } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { Submit } from "#client/ui/submit.tsx";
import { useHere } from "#client/ui/use-here.ts";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { say } from "#src/http/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { ScoreView, ExclusionNote, ExclusionView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";
import { LeaderboardView, Scope } from "./leaderboard-view.tsx";
import {
  type Leaderboard,
  type LeadersData,
  fetchExclusions,
  fetchLeaders,
  isAdmin,
} from "./load-leaders.ts";
import { type ManageResult, ExcludedList, ExclusionReason } from "./manage-leaderboard.tsx";

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
  players: readonly ScoreView[];
};

/** The teams of the session below its players. Players choose theirs here, and hosts move a player. */
function LeadersTeams({ sessionId, answer, players }: LeadersTeamsProps) {
  const live = useLiveTeams(answer, sessionId);
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
      <PostForm className="stack body" preventScrollReset>
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
      </PostForm>
    </Panel>
  );
}

/** The teams as loaded, with their scores from the messages about the leaders, which bring them along. */
function useLiveTeams(loaded: TeamsAnswer, sessionId: number): TeamsAnswer {
  const { revalidate } = useRevalidator();
  const [heard, setHeard] = useState<{ loaded: TeamsAnswer; teams: TeamsAnswer["teams"] } | null>(null);
  useSessionMessages(
    sessionId,
    {
      missed: () => void revalidate(),
      received: (message) => {
        if (message.sourceType !== "Score" || message.detail.teams === undefined) return;
        setHeard({ loaded, teams: message.detail.teams });
      },
    },
    "page",
  );
  // Newly loaded data replaces what the messages have brought.
  return heard?.loaded === loaded ? { ...loaded, teams: heard.teams } : loaded;
}

/** One player's results over all sessions. */
export function ScoreScreen() {
  const { player, score, exclusion, exclusions } = useLoaderData<ScoreData>();
  return (
    <PageLayout
      title={player.username}
      actions={<ButtonLink to="/leaderboard">Back to the leaderboard</ButtonLink>}
    >
      {exclusion === null ? null : (
        <Note tone="warn">{say`You are not on the leaderboard: ${exclusion.reason}`}</Note>
      )}
      <section className="panel pad record slim" aria-label={words.record}>
        <Avatar name={player.username} avatar={player.avatar} size="lg" />
        {score === null ? <p className="ink2">Not ranked.</p> : <ScoreDetails score={score} />}
      </section>
      {exclusions === null ? null : (
        <WhenLoaded data={exclusions}>
          {(found) => <Excluded player={player} exclusions={found} />}
        </WhenLoaded>
      )}
    </PageLayout>
  );
}

function ScoreDetails({ score }: { score: ScoreView }) {
  return (
    <dl>
      <KeyValue label={words.rank}>{formatRank(score)}</KeyValue>
      <KeyValue label={words.net}>{formatChange(score.netCents)}</KeyValue>
      <KeyValue label={words.won}>{score.wins}</KeyValue>
      <KeyValue label={words.lost}>{score.losses}</KeyValue>
      <KeyValue label="Even">{score.pushes}</KeyValue>
      <KeyValue label={words.accuracy}>{formatShare(score.accuracy, { digits: 0 })}</KeyValue>
      <KeyValue label="Net per $1">{formatPerDollar(score.roi)}</KeyValue>
      <KeyValue label={words.rightInARow}>{score.currentStreak}</KeyValue>
      <KeyValue label={words.bestStreak}>{score.bestStreak}</KeyValue>
    </dl>
  );
}

/** For admins: the leaderboards that exclude the player, and the button to exclude them everywhere. */
function Excluded({
  player: { userId, username },
  exclusions,
}: {
  player: ScoreData["player"];
  exclusions: readonly ExclusionView[];
}) {
  const result = useActionData<ManageResult>();
  const everywhere = exclusions.some(({ sessionId }) => sessionId === null);
  return (
    <div className="slim">
      <Panel title={words.excluded}>
        {result !== undefined && "refusal" in result ? <Note tone="bad">{result.refusal}</Note> : null}
        <ExcludedList exclusions={exclusions} />
        {everywhere ? null : (
          <div className="body">
            <Confirm
              label={words.exclude}
              title={say`Exclude ${username} from every leaderboard?`}
              act={{ label: words.exclude, intent: "exclude", className: "btn bad" }}
            >
              <input type="hidden" name="user_id" value={userId} />
              <ExclusionReason />
            </Confirm>
          </div>
        )}
      </Panel>
    </div>
  );
}

/** One player's record over all sessions. */
type ScoreData = {
  player: Pick<ScoreView, "userId" | "username" | "avatar">;
  /** Null for a player who is not ranked. */
  score: ScoreView | null;
  /** Why the player is not ranked. Only the player sees it. */
  exclusion: ExclusionNote | null;
  /** The leaderboards that exclude the player, for admins; null for others. */
  exclusions: Deferred<readonly ExclusionView[]> | null;
};

/** Answers 404 for an unknown player and for one without a rank. An excluded player reads why, and admins see the exclusions. */
export async function loadScore(args: LoaderArgs): Promise<ScoreData> {
  const { api, context, params } = args;
  const { viewer } = context.get(pageContext);
  const userId = rowIdIn(params["userId"]);
  const [{ scores }, exclusions] = await Promise.all([
    api.get("/api/v1/scores", { query: { userId } }),
    isAdmin(context) ? defer(args, () => fetchExclusions(api, { userId })) : null,
  ]);
  const score = scores[0] ?? null;
  if (score !== null) return { player: score, score, exclusion: null, exclusions };
  const exclusion = String(viewer?.id) === userId ? await fetchOwnExclusion(api) : null;
  const player = (await firstIn(exclusions)) ?? (exclusion === null ? null : nameOf(viewer));
  if (player === null) throw data(null, { status: 404 });
  return { player, score, exclusion, exclusions };
}

/** The excluded player, whose name is in the exclusion. */
async function firstIn(exclusions: ScoreData["exclusions"]): Promise<ExclusionView | null> {
  const outcome = await exclusions?.outcome;
  return outcome !== undefined && "data" in outcome ? (outcome.data[0] ?? null) : null;
}

async function fetchOwnExclusion(api: Api): Promise<ExclusionNote | null> {
  return (await fetchLeaders(api, null)).exclusion;
}

function nameOf(viewer: ViewerView | null): ScoreData["player"] | null {
  return viewer === null ? null : { userId: viewer.id, username: viewer.username, avatar: viewer.avatar };
}
