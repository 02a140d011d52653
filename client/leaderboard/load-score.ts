import { data, type LoaderFunctionArgs } from "react-router";
import type { ExclusionNote, ExclusionView, ScoreView } from "#src/leaderboard/schemas.ts";
import type { ViewerView } from "#src/sign-ins/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext, pageContext } from "../context.ts";
import { isAdmin, lookUpExclusions, lookUpLeaders } from "./load-leaders.ts";

/** One player's record over all sessions. */
export type ScoreData = {
  player: Pick<ScoreView, "userId" | "username" | "avatar">;
  /** Null for somebody who is not ranked. */
  score: ScoreView | null;
  /** Why not, for the player. */
  exclusion: ExclusionNote | null;
  /** From where the player is excluded, for admins. */
  exclusions: readonly ExclusionView[] | null;
};

/** An address that is nobody's, or of somebody without a rank, is not found; but whoever is excluded reads why. */
export async function loadScore({ context, params, request }: LoaderFunctionArgs): Promise<ScoreData> {
  const api = context.get(apiContext);
  const { viewer } = context.get(pageContext);
  const { signal } = request;
  const userId = params["userId"] ?? "";
  const [{ scores }, exclusions, exclusion] = await Promise.all([
    api.get("/api/v1/scores", { query: { userId }, signal }),
    isAdmin(context) ? lookUpExclusions(api, { userId }, signal) : null,
    String(viewer?.id) === userId ? lookUpOwn(api, signal) : null,
  ]);
  const score = scores[0] ?? null;
  const player = score ?? exclusions?.[0] ?? (exclusion === null ? null : nameOf(viewer));
  if (player === null) throw data(null, { status: 404 });
  return { player, score, exclusion, exclusions };
}

async function lookUpOwn(api: Api, signal: AbortSignal): Promise<ExclusionNote | null> {
  return (await lookUpLeaders(api, null, signal)).exclusion;
}

function nameOf(viewer: ViewerView | null): ScoreData["player"] | null {
  return viewer === null ? null : { userId: viewer.id, username: viewer.username, avatar: viewer.avatar };
}
