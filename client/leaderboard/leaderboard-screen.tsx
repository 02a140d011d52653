import { useLoaderData } from "react-router";
import { PageLayout } from "../ui/page-layout.tsx";
import { Pagination } from "../ui/pagination.tsx";
import type { LeaderboardData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";
import { ScoreTable } from "./score-table.tsx";

/** Who has called it most often, over all sessions. */
export function LeaderboardScreen() {
  const { scores, me, meta } = useLoaderData<LeaderboardData>();
  return (
    <PageLayout title="Leaderboard" actions={<Scope slug={null} />}>
      <ScoreTable scores={scores} me={me} />
      <Pagination meta={meta} />
    </PageLayout>
  );
}
