import { data, Link, type LoaderFunctionArgs, useActionData, useLoaderData } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { formatChange, formatPerDollar, formatShare } from "#client/base/format/money.ts";
import * as words from "#client/base/format/words.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { say } from "#src/http/contract.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";
import { ExcludedList } from "./excluded-list.tsx";
import * as texts from "./leaderboard-texts.ts";
import { fetchExclusions, fetchLeaders, isAdmin } from "./load-leaders.ts";
import { ExclusionReason } from "./manage-leaderboard.tsx";
import type { ManageResult } from "./manage-leaders.ts";

/** One player's results over all sessions. */
export function ScoreScreen() {
  const { player, score, exclusion, exclusions } = useLoaderData<ScoreData>();
  return (
    <PageLayout
      title={player.username}
      actions={
        <Link className="btn" to="/leaderboard">
          Back to the leaderboard
        </Link>
      }
    >
      {exclusion === null ? null : <Note tone="warn">{texts.whyExcluded(exclusion.reason)}</Note>}
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
export async function loadScore(args: LoaderFunctionArgs): Promise<ScoreData> {
  const { context, params, request } = args;
  const api = context.get(apiContext);
  const { viewer } = context.get(pageContext);
  const { signal } = request;
  const userId = rowIdIn(params["userId"]);
  const [{ scores }, exclusions] = await Promise.all([
    api.get("/api/v1/scores", { query: { userId }, signal }),
    isAdmin(context) ? defer(args, () => fetchExclusions(api, { userId }, signal)) : null,
  ]);
  const score = scores[0] ?? null;
  if (score !== null) return { player: score, score, exclusion: null, exclusions };
  const exclusion = String(viewer?.id) === userId ? await fetchOwnExclusion(api, signal) : null;
  const player = (await firstIn(exclusions)) ?? (exclusion === null ? null : nameOf(viewer));
  if (player === null) throw data(null, { status: 404 });
  return { player, score, exclusion, exclusions };
}

/** The excluded player, whose name is in the exclusion. */
async function firstIn(exclusions: ScoreData["exclusions"]): Promise<ExclusionView | null> {
  const outcome = await exclusions?.outcome;
  return outcome !== undefined && "data" in outcome ? (outcome.data[0] ?? null) : null;
}

async function fetchOwnExclusion(api: Api, signal: AbortSignal): Promise<ExclusionNote | null> {
  return (await fetchLeaders(api, null, signal)).exclusion;
}

function nameOf(viewer: ViewerView | null): ScoreData["player"] | null {
  return viewer === null ? null : { userId: viewer.id, username: viewer.username, avatar: viewer.avatar };
}
