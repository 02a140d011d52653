import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { ListMeta } from "#src/http/schemas.ts";
import { LEADERS_DEFAULT } from "#src/play/leaderboard/contract.ts";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";

/** Players by rank, and the viewer's own row. */
export type Leaderboard = {
  scores: readonly ScoreView[];
  me: ScoreView | null;
  /** Why the viewer is not ranked; null for viewers who are not excluded. */
  exclusion: ExclusionNote | null;
  totalCount: number;
  /** Null where the first players are shown instead of a page. */
  meta: ListMeta | null;
};
/** `exclusions`: the excluded players, for admins; null for others. */
export type LeaderboardData = { leaderboard: Leaderboard; exclusions: readonly ExclusionView[] | null };

export type LeadersData = { leaders: Deferred<LeaderboardData> };

/** The first players of one session and the viewer's own score, or with `?page=` a page of all. */
export async function loadLeaders(args: LoaderFunctionArgs): Promise<LeadersData> {
  const search = new URL(args.request.url).searchParams;
  const page = search.has("page") ? pageIn(search) : null;
  return deferData(args, { sessionId: args.params["slug"] ?? "", page });
}

/** A page of the leaderboard over all sessions, and the viewer's own score on whatever page it is. */
export async function loadLeaderboard(args: LoaderFunctionArgs): Promise<LeadersData> {
  const page = pageIn(new URL(args.request.url).searchParams);
  return deferData(args, { sessionId: null, page });
}

type Query = {
  /** A session's id or slug; null: all sessions. */
  sessionId: string | null;
  page: ReturnType<typeof pageIn> | null;
};

async function deferData(args: LoaderFunctionArgs, query: Query): Promise<LeadersData> {
  const { context, request } = args;
  return { leaders: await defer(args, () => loadData(context, query, request.signal)) };
}

async function loadData(
  context: Readonly<RouterContextProvider>,
  query: Query,
  signal: AbortSignal,
): Promise<LeaderboardData> {
  const api = context.get(apiContext);
  const [leaderboard, exclusions] = await Promise.all([
    query.page === null ? fetchLeaders(api, query.sessionId, signal) : fetchPage(api, query, signal),
    isAdmin(context) ? fetchExclusions(api, { sessionId: query.sessionId }, signal) : null,
  ]);
  return { leaderboard, exclusions };
}

/** The first players and the viewer's own score. */
export async function fetchLeaders(
  api: Api,
  sessionId: string | null,
  signal: AbortSignal,
): Promise<Leaderboard> {
  const query = { sessionId, limit: LEADERS_DEFAULT };
  const { leaders, ...rest } = await api.get("/api/v1/scores/leaders", { query, signal });
  return { ...rest, scores: leaders, meta: null };
}

async function fetchPage(api: Api, { sessionId, page }: Query, signal: AbortSignal): Promise<Leaderboard> {
  const [{ scores, meta }, { me, exclusion }] = await Promise.all([
    api.get("/api/v1/scores", { query: { sessionId, page }, signal }),
    api.get("/api/v1/scores/leaders", { query: { sessionId, limit: 1 }, signal }),
  ]);
  return { scores, me, exclusion, totalCount: meta.totalCount, meta };
}

/** For admins: the exclusions of one session, of all sessions (`sessionId` null), or of one player. */
export async function fetchExclusions(
  api: Api,
  query: { sessionId?: string | null; userId?: string },
  signal: AbortSignal,
): Promise<readonly ExclusionView[]> {
  const { exclusions } = await api.get("/api/v1/scores/exclusions", {
    query: { ...query, perPage: 100 },
    signal,
  });
  return exclusions;
}

export function isAdmin(context: Readonly<RouterContextProvider>): boolean {
  return context.get(pageContext).viewer?.roles.includes("admin") === true;
}
