import { type ReactNode, useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import { Note } from "../ui/note.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import type { Leaderboard, LeaderboardData } from "./load-leaders.ts";
import { ManageLeaderboard } from "./manage-leaderboard.tsx";
import type { ManageResult } from "./manage-leaders.ts";
import { formatRank, ScoreTable } from "./score-table.tsx";

type BoardViewProps = {
  title: string;
  /** The session's slug; null: all sessions. */
  slug: string | null;
  data: LeaderboardData;
  /** As it is now. */
  leaderboard: Leaderboard;
  actions: ReactNode;
  /** Shown below the table. */
  children?: ReactNode;
};

/** The table of ranks, why the viewer is not in it, and for admins the forms to manage it. */
export function LeaderboardView({ title, slug, data, leaderboard, actions, children }: BoardViewProps) {
  const result = useActionData<ManageResult>();
  const table = (
    <div className="stack wide">
      {leaderboard.exclusion === null ? null : (
        <Note tone="warn">You are not ranked here: {leaderboard.exclusion.reason}</Note>
      )}
      <ScoreTable leaderboard={leaderboard} />
      {children}
      <RankAnnouncer leaderboard={leaderboard} />
    </div>
  );
  return (
    <PageLayout title={title} actions={actions}>
      {data.exclusions === null ? (
        table
      ) : (
        <div className="split">
          {table}
          <ManageLeaderboard
            slug={slug}
            scores={leaderboard.scores}
            exclusions={data.exclusions}
            result={result}
          />
        </div>
      )}
    </PageLayout>
  );
}

/** Announces a change of the viewer's rank to screen readers. */
function RankAnnouncer({ leaderboard: { me, totalCount } }: { leaderboard: Leaderboard }) {
  const rank = me === null ? null : formatRank(me);
  const previous = useRef(rank);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (rank !== null && previous.current !== null && rank !== previous.current) {
      setAnnouncement(`Your rank is now ${rank} of ${totalCount}.`);
    }
    previous.current = rank;
  }, [rank, totalCount]);
  return (
    <p className="heard" aria-live="polite">
      {announcement}
    </p>
  );
}
