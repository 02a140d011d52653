import { Link, useActionData, useLoaderData } from "react-router";
import { formatChange, formatShare, formatPerDollar } from "#client/base/format/money.ts";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { Avatar } from "#client/ui/avatar.tsx";
import { Confirm } from "#client/ui/confirm.tsx";
import { KeyValue } from "#client/ui/key-value.tsx";
import { Note } from "#client/ui/note.tsx";
import { PageLayout, Panel } from "#client/ui/page-layout.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import type { ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";
import { ExcludedList } from "./excluded-list.tsx";
import * as texts from "./leaderboard-texts.ts";
import type { ScoreData } from "./load-score.ts";
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
          {texts.backToTheLeaderboard}
        </Link>
      }
    >
      {exclusion === null ? null : <Note tone="warn">{texts.whyExcluded(exclusion.reason)}</Note>}
      <section className="panel pad record slim" aria-label={texts.record}>
        <Avatar name={player.username} avatar={player.avatar} size="lg" />
        {score === null ? <p className="ink2">{texts.notRanked}</p> : <ScoreDetails score={score} />}
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
      <KeyValue label={texts.rank}>{formatRank(score)}</KeyValue>
      <KeyValue label={texts.net}>{formatChange(score.netCents)}</KeyValue>
      <KeyValue label={texts.won}>{score.wins}</KeyValue>
      <KeyValue label={texts.lost}>{score.losses}</KeyValue>
      <KeyValue label={texts.even}>{score.pushes}</KeyValue>
      <KeyValue label={texts.accuracy}>{formatShare(score.accuracy, { digits: 0 })}</KeyValue>
      <KeyValue label={texts.wonPerDollar}>{formatPerDollar(score.roi)}</KeyValue>
      <KeyValue label={texts.streakNow}>{score.currentStreak}</KeyValue>
      <KeyValue label={texts.bestStreak}>{score.bestStreak}</KeyValue>
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
      <Panel title={texts.excluded}>
        {result !== undefined && "refusal" in result ? <Note tone="bad">{result.refusal}</Note> : null}
        <ExcludedList exclusions={exclusions} />
        {everywhere ? null : (
          <div className="body">
            <Confirm
              label={texts.exclude}
              title={texts.excludePlayerConfirm(username)}
              act={{ label: texts.exclude, intent: "exclude", className: "btn bad" }}
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
