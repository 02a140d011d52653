import { Link, useLoaderData, useParams } from "react-router";
import * as frame from "#client/ui/frame-texts.ts";
import { PageLayout } from "#client/ui/page-layout.tsx";
import { Pagination } from "#client/ui/pagination.tsx";
import { useHere } from "#client/ui/use-here.ts";
import { WhenLoaded } from "#client/ui/when-loaded.tsx";
import * as texts from "./leaderboard-texts.ts";
import { LeaderboardView } from "./leaderboard-view.tsx";
import { LeadersTeams } from "./leaders-teams.tsx";
import type { Leaderboard, LeadersData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";

/** The session's leaderboard: the first players, or one page of all. */
export function LeadersScreen() {
  const { leaders } = useLoaderData<LeadersData>();
  const sessionId = useHere().session?.id ?? null;
  const { slug = null } = useParams();
  return (
    <PageLayout title={frame.leaders} actions={<Scope shown="session" slug={slug} />}>
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
        <Link to="?page=1">{texts.allPlayers(totalCount)}</Link>
      </p>
    ) : null;
  }
  return (
    <div className="row wrap">
      <Pagination meta={meta} />
      <Link className="small" to="?">
        {texts.onlyTheFirst}
      </Link>
    </div>
  );
}
