import { data, type LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { rowIdIn } from "#client/base/page/row-id.ts";
import type { ViewerView } from "#src/people/sign-ins/schemas.ts";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/play/leaderboard/schemas.ts";
import { isAdmin, fetchExclusions, fetchLeaders } from "./load-leaders.ts";

/** One player's record over all sessions. */
export type ScoreData = {
  player: Pick<ScoreView, "userId" | "username" | "avatar">;
  /** Null for a player who is not ranked. */
  score: ScoreView | null;
  /** Why the player is not ranked. Only the player sees it. */
  exclusion: ExclusionNote | null;
  /** The leaderboards that exclude the player, for admins; null for others. */
  exclusions: Deferred<readonly ExclusionView[]> | null;
};

/** Answers 404 for an unknown player and for one without a rank. An excluded player reads why, and admins see the exclusions. */
export async function loadScore(args: LoaderFunctionArgs): Promise<ScoreData> {
  const { context, params, request } = args;
  const api = context.get(apiContext);
  const { viewer } = context.get(pageContext);
  const { signal } = request;
  const userId = rowIdIn(params["userId"]);
  const [{ scores }, exclusions] = await Promise.all([
    api.get("/api/v1/scores", { query: { userId }, signal }),
    isAdmin(context) ? defer(args, () => fetchExclusions(api, { userId }, signal)) : null,
  ]);
  const score = scores[0] ?? null;
  if (score !== null) return { player: score, score, exclusion: null, exclusions };
  const exclusion = String(viewer?.id) === userId ? await fetchOwnExclusion(api, signal) : null;
  const player = (await firstIn(exclusions)) ?? (exclusion === null ? null : nameOf(viewer));
  if (player === null) throw data(null, { status: 404 });
  return { player, score, exclusion, exclusions };
}

/** The excluded player, whose name is in the exclusion. */
async function firstIn(exclusions: ScoreData["exclusions"]): Promise<ExclusionView | null> {
  const outcome = await exclusions?.outcome;
  return outcome !== undefined && "data" in outcome ? (outcome.data[0] ?? null) : null;
}

async function fetchOwnExclusion(api: Api, signal: AbortSignal): Promise<ExclusionNote | null> {
  return (await fetchLeaders(api, null, signal)).exclusion;
}

function nameOf(viewer: ViewerView | null): ScoreData["player"] | null {
  return viewer === null ? null : { userId: viewer.id, username: viewer.username, avatar: viewer.avatar };
}
