import { Link, useLoaderData, useParams } from "react-router";
import { useHere } from "../frame/use-here.ts";
import { countOf } from "../ui/count.ts";
import { Pagination } from "../ui/pagination.tsx";
import { LeaderboardView } from "./leaderboard-view.tsx";
import type { Leaderboard, LeaderboardData } from "./load-leaders.ts";
import { Scope } from "./scope.tsx";
import { useLiveLeaderboard } from "./use-live-leaderboard.ts";

/** The session's leaderboard: the first players, or one page of all. */
export function LeadersScreen() {
  const data = useLoaderData<LeaderboardData>();
  const leaderboard = useLiveLeaderboard(data.leaderboard, useHere().session?.id ?? null);
  const { slug = null } = useParams();
  return (
    <LeaderboardView
      title="Leaders"
      slug={slug}
      data={data}
      leaderboard={leaderboard}
      actions={<Scope slug={slug} />}
    >
      <MorePlayers leaderboard={leaderboard} />
    </LeaderboardView>
  );
}

function MorePlayers({ leaderboard: { meta, scores, totalCount } }: { leaderboard: Leaderboard }) {
  if (meta === null) {
    return totalCount > scores.length ? (
      <p className="small">
        <Link to="?page=1">All {countOf(totalCount, "player")}</Link>
      </p>
    ) : null;
  }
  return (
    <div className="row wrap">
      <Pagination meta={meta} />
      <Link className="small" to="?">
        Only the first
      </Link>
    </div>
  );
}
