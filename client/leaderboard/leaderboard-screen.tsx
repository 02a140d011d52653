import { useLoaderData } from "react-router";
import { usePage } from "../context.ts";
import { Pagination } from "../ui/pagination.tsx";
import { LeaderboardView } from "./leaderboard-view.tsx";
import type { LeaderboardData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";
import { useLiveLeaderboard } from "./use-live-leaderboard.ts";

/** The leaderboard over all sessions. The messages of the active session update it. */
export function LeaderboardScreen() {
  const data = useLoaderData<LeaderboardData>();
  const leaderboard = useLiveLeaderboard(data.leaderboard, usePage().activeSession?.id ?? null);
  return (
    <LeaderboardView
      title="Leaderboard"
      slug={null}
      data={data}
      leaderboard={leaderboard}
      actions={<Scope slug={null} />}
    >
      {leaderboard.meta === null ? null : <Pagination meta={leaderboard.meta} />}
    </LeaderboardView>
  );
}
