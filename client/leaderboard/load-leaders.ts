import { data, type LoaderFunctionArgs } from "react-router";
import type { ListMeta } from "#src/http/contract.ts";
import type { LeadersAnswer, ScoreView } from "#src/leaderboard/contract.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

const LEADERS_SHOWN = 100;

type ScoresPage = { scores: ScoreView[]; meta: ListMeta };
export type LeaderboardData = ScoresPage & { me: ScoreView | null };

/** The leaders of one session, and the viewer's own score in it. */
export async function loadLeaders({ context, params, request }: LoaderFunctionArgs): Promise<LeadersAnswer> {
  return context.get(apiContext).get<LeadersAnswer>("/api/v1/scores/leaders", {
    query: { sessionId: params["slug"], limit: LEADERS_SHOWN },
    signal: request.signal,
  });
}

/** One player's score over all sessions. An address that is nobody's, or of somebody without a score, is not found. */
export async function loadScore({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<{ score: ScoreView }> {
  const { scores } = await context.get(apiContext).get<ScoresPage>("/api/v1/scores", {
    query: { userId: params["userId"] },
    signal: request.signal,
  });
  const [score] = scores;
  if (score === undefined) throw data(null, { status: 404 });
  return { score };
}

/** A page of the table over all sessions, and the viewer's own score wherever it stands. */
export async function loadLeaderboard({ context, request }: LoaderFunctionArgs): Promise<LeaderboardData> {
  const api = context.get(apiContext);
  const { signal } = request;
  const page = pageIn(new URL(request.url).searchParams);
  const [scores, { me }] = await Promise.all([
    api.get<ScoresPage>("/api/v1/scores", { query: { page }, signal }),
    api.get<LeadersAnswer>("/api/v1/scores/leaders", { query: { limit: 1 }, signal }),
  ]);
  return { ...scores, me };
}
