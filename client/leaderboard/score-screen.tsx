import { Link, useLoaderData } from "react-router";
import type { ScoreView } from "#src/leaderboard/contract.ts";
import { Avatar } from "../ui/avatar.tsx";
import { formatChange, formatShare, formatShareChange } from "../ui/money.ts";
import { PageLayout } from "../ui/page-layout.tsx";
import { KeyValue } from "../wallet/key-value.tsx";
import { rankOf } from "./score-table.tsx";

/** One player's record over all sessions. */
export function ScoreScreen() {
  const { score } = useLoaderData<{ score: ScoreView }>();
  return (
    <PageLayout
      title={score.username}
      actions={
        <Link className="btn" to="/leaderboard">
          Back to the leaderboard
        </Link>
      }
    >
      <section className="panel pad record slim" aria-label="Record">
        <Avatar name={score.username} avatar={score.avatar} size="lg" />
        <dl>
          <KeyValue label="Rank">{rankOf(score)}</KeyValue>
          <KeyValue label="Net">{formatChange(score.netCents)}</KeyValue>
          <KeyValue label="Won">{score.wins}</KeyValue>
          <KeyValue label="Lost">{score.losses}</KeyValue>
          <KeyValue label="Neither">{score.pushes}</KeyValue>
          <KeyValue label="Accuracy">{formatShare(score.accuracy, { digits: 0 })}</KeyValue>
          <KeyValue label="Return on calls">{formatShareChange(score.roi)}</KeyValue>
          <KeyValue label="Streak now">{score.currentStreak}</KeyValue>
          <KeyValue label="Best streak">{score.bestStreak}</KeyValue>
        </dl>
      </section>
    </PageLayout>
  );
}
