import { useLoaderData } from "react-router";
import { usePage } from "#client/base/page/context.ts";
import * as frame from "#client/ui/frame-texts.ts";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import { LeaderboardView } from "./leaderboard-view.tsx";
import type { LeadersData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";

/** The leaderboard over all sessions. The messages of the active session update it. */
export function LeaderboardScreen() {
  const { leaders } = useLoaderData<LeadersData>();
  const sessionId = usePage().activeSession?.id ?? null;
  return (
    <PageLayout title={frame.leaderboard} actions={<Scope shown="all" />}>
      <WhenLoaded data={leaders}>
        {(data) => (
          <LeaderboardView slug={null} sessionId={sessionId} data={data}>
            {({ meta }) => (meta === null ? null : <Pagination meta={meta} />)}
          </LeaderboardView>
        )}
      </WhenLoaded>
    </PageLayout>
  );
}
