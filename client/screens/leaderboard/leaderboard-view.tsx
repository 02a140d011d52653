import { type ReactNode, useEffect, useRef, useState } from "react";
import { useActionData } from "react-router";
import { formatRank } from "#client/leaderboard/rank-texts.ts";
import { Note } from "#client/ui/note.tsx";
import * as texts from "./leaderboard-texts.ts";
import type { Leaderboard, LeaderboardData } from "./load-leaders.ts";
import { ManageLeaderboard } from "./manage-leaderboard.tsx";
import type { ManageResult } from "./manage-leaders.ts";
import { ScoreTable } from "./score-table.tsx";
import { useLiveLeaderboard } from "./use-live-leaderboard.ts";

type BoardViewProps = {
  /** The session's slug; null: all sessions. */
  slug: string | null;
  /** The session whose messages update the table; null: none. */
  sessionId: number | null;
  data: LeaderboardData;
  /** What is shown below the table, as it is now. */
  children: (leaderboard: Leaderboard) => ReactNode;
};

/** The table of ranks, why the viewer is not in it, and for admins the forms to manage it. */
export function LeaderboardView({ slug, sessionId, data, children }: BoardViewProps) {
  const leaderboard = useLiveLeaderboard(data.leaderboard, sessionId);
  const result = useActionData<ManageResult>();
  const table = (
    <div className="stack wide">
      {leaderboard.exclusion === null ? null : (
        <Note tone="warn">{texts.notRankedBecause(leaderboard.exclusion.reason)}</Note>
      )}
      <ScoreTable leaderboard={leaderboard} />
      {children(leaderboard)}
      {leaderboard.scores.length === 0 ? null : <p className="small ink2">{texts.unopposed}</p>}
      <RankAnnouncer leaderboard={leaderboard} />
    </div>
  );
  if (data.exclusions === null) return table;
  return (
    <div className="split">
      {table}
      <ManageLeaderboard
        slug={slug}
        scores={leaderboard.scores}
        exclusions={data.exclusions}
        result={result}
      />
    </div>
  );
}

/** Announces a change of the viewer's rank to screen readers. */
function RankAnnouncer({ leaderboard: { me, totalCount } }: { leaderboard: Leaderboard }) {
  const rank = me === null ? null : formatRank(me);
  const previous = useRef(rank);
  const [announcement, setAnnouncement] = useState("");
  useEffect(() => {
    if (rank !== null && previous.current !== null && rank !== previous.current) {
      setAnnouncement(texts.rankChanged(rank, totalCount));
    }
    previous.current = rank;
  }, [rank, totalCount]);
  return (
    <p className="vh" aria-live="polite">
      {announcement}
    </p>
  );
}
