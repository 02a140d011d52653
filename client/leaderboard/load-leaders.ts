import type { LoaderFunctionArgs, RouterContextProvider } from "react-router";
import type { ListMeta } from "#src/http/schemas.ts";
import { LEADERS_DEFAULT } from "#src/leaderboard/contract.ts";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/leaderboard/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext, pageContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

/** A table of players by rank, and how the viewer stands in it. */
export type Board = {
  scores: readonly ScoreView[];
  me: ScoreView | null;
  /** Why the viewer is not ranked in it; null for whoever may be. */
  exclusion: ExclusionNote | null;
  totalCount: number;
  /** Null where the first are shown, and not a page. */
  meta: ListMeta | null;
};
/** With the players whom admins have taken out of it, for admins. */
export type BoardData = { board: Board; exclusions: readonly ExclusionView[] | null };

/** The leaders of one session and the viewer's own score in it, or with `?page=` a page of all. */
export async function loadLeaders({ context, params, request }: LoaderFunctionArgs): Promise<BoardData> {
  const search = new URL(request.url).searchParams;
  const page = search.has("page") ? pageIn(search) : null;
  return loadBoard(context, { sessionId: params["slug"] ?? "", page }, request.signal);
}

/** A page of the table over all sessions, and the viewer's own score wherever it stands. */
export async function loadLeaderboard({ context, request }: LoaderFunctionArgs): Promise<BoardData> {
  const page = pageIn(new URL(request.url).searchParams);
  return loadBoard(context, { sessionId: null, page }, request.signal);
}

type Which = {
  /** A session's id or slug; null: all sessions. */
  sessionId: string | null;
  page: ReturnType<typeof pageIn> | null;
};

async function loadBoard(
  context: Readonly<RouterContextProvider>,
  which: Which,
  signal: AbortSignal,
): Promise<BoardData> {
  const api = context.get(apiContext);
  const [board, exclusions] = await Promise.all([
    which.page === null ? lookUpLeaders(api, which.sessionId, signal) : lookUpPage(api, which, signal),
    isAdmin(context) ? lookUpExclusions(api, { sessionId: which.sessionId }, signal) : null,
  ]);
  return { board, exclusions };
}

/** The first of a table, for a page that is open already too. */
export async function lookUpLeaders(api: Api, sessionId: string | null, signal: AbortSignal): Promise<Board> {
  const query = { sessionId, limit: LEADERS_DEFAULT };
  const { leaders, ...rest } = await api.get("/api/v1/scores/leaders", { query, signal });
  return { ...rest, scores: leaders, meta: null };
}

async function lookUpPage(api: Api, { sessionId, page }: Which, signal: AbortSignal): Promise<Board> {
  const [{ scores, meta }, { me, exclusion }] = await Promise.all([
    api.get("/api/v1/scores", { query: { sessionId, page }, signal }),
    api.get("/api/v1/scores/leaders", { query: { sessionId, limit: 1 }, signal }),
  ]);
  return { scores, me, exclusion, totalCount: meta.totalCount, meta };
}

/** For admins: who is excluded from a session or from everything, or from where one player is. */
export async function lookUpExclusions(
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
