import type { RouterContextProvider } from "react-router";
import { type Api, nullAt } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { pageContext } from "#client/base/page/context.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import { loadTeams } from "#client/teams/load-teams.ts";
import type { ListMeta } from "#src/http/schemas.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";

export type Leaderboard = {
  scores: readonly ScoreView[];
  me: ScoreView | null;
  /** Why the viewer is not ranked; null for viewers who are not excluded. */
  exclusion: ExclusionNote | null;
  totalCount: number;
  /** Null where the first players are shown instead of a page. */
  meta: ListMeta | null;
};
/**
 * `exclusions`: the excluded players, for admins; null for others. `teams`: those of the session; null where it has none, and on the
 * leaderboard of all sessions.
 */
export type LeaderboardData = {
  leaderboard: Leaderboard;
  exclusions: readonly ExclusionView[] | null;
  teams: TeamsAnswer | null;
};

export type LeadersData = { leaders: Deferred<LeaderboardData> };

/** The teams of one session, its first players and the viewer's own score, or with `?page=` a page of all. */
export async function loadLeaders(args: LoaderArgs): Promise<LeadersData> {
  const search = args.url.searchParams;
  const page = search.has("page") ? pageIn(search) : null;
  return deferData(args, { sessionId: args.params["slug"] ?? "", page });
}

/** A page of the leaderboard over all sessions, and the viewer's own score on whatever page it is. */
export async function loadLeaderboard(args: LoaderArgs): Promise<LeadersData> {
  const page = pageIn(args.url.searchParams);
  return deferData(args, { sessionId: null, page });
}

type Query = {
  sessionId: string | null;
  /** A season's slug: what was decided in it, in all sessions. */
  seasonId?: string;
  page: ReturnType<typeof pageIn> | null;
};

async function deferData(args: LoaderArgs, query: Query): Promise<LeadersData> {
  return { leaders: await defer(args, () => loadData(args, query)) };
}

async function loadData(args: LoaderArgs, query: Query): Promise<LeaderboardData> {
  const { api, context } = args;
  const [leaderboard, exclusions, teams] = await Promise.all([
    query.page === null ? fetchLeaders(api, query.sessionId) : fetchPage(api, query),
    mayManage(context, query)
      ? fetchExclusions(api, { sessionId: query.sessionId }).catch(nullAt(403))
      : null,
    query.sessionId === null ? null : loadTeams(args),
  ]);
  return { leaderboard, exclusions, teams };
}

/** For a host the API decides whether it is the own session. */
function mayManage(context: Readonly<RouterContextProvider>, { sessionId }: Query): boolean {
  const hosts = context.get(pageContext).viewer?.hostOf.length ?? 0;
  return isAdmin(context) || (sessionId !== null && hosts > 0);
}

/** The first players and the viewer's own score. */
export async function fetchLeaders(api: Api, sessionId: string | null): Promise<Leaderboard> {
  const query = { sessionId, limit: LEADERS_DEFAULT };
  const { leaders, ...rest } = await api.get("/api/v1/scores/leaders", { query });
  return { ...rest, scores: leaders, meta: null };
}

/** A page of all players, and the viewer's own score. */
export async function fetchPage(api: Api, { page, ...board }: Query): Promise<Leaderboard> {
  const [{ scores, meta }, { me, exclusion }] = await Promise.all([
    api.get("/api/v1/scores", { query: { ...board, page } }),
    api.get("/api/v1/scores/leaders", { query: { ...board, limit: 1 } }),
  ]);
  return { scores, me, exclusion, totalCount: meta.totalCount, meta };
}

/** For admins: the exclusions of one session, of all sessions (`sessionId` null), or of one player. */
export async function fetchExclusions(
  api: Api,
  query: { sessionId?: string | null; userId?: string },
): Promise<readonly ExclusionView[]> {
  const { exclusions } = await api.get("/api/v1/scores/exclusions", {
    query: { ...query, perPage: 100 },
  });
  return exclusions;
}

export function isAdmin(context: Readonly<RouterContextProvider>): boolean {
  return context.get(pageContext).viewer?.roles.includes("admin") === true;
}
