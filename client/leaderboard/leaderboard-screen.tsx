import { useLoaderData } from "react-router";
import { usePage } from "../context.ts";
import { WhenLoaded } from "../deferred/when-loaded.tsx";
import { PageLayout } from "../ui/page-layout.tsx";
import { Pagination } from "../ui/pagination.tsx";
import * as texts from "./leaderboard-texts.ts";
import { LeaderboardView } from "./leaderboard-view.tsx";
import type { LeadersData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";

/** The leaderboard over all sessions. The messages of the active session update it. */
export function LeaderboardScreen() {
  const { leaders } = useLoaderData<LeadersData>();
  const sessionId = usePage().activeSession?.id ?? null;
  return (
    <PageLayout title={texts.leaderboard} actions={<Scope slug={null} />}>
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
