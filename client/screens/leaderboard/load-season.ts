import { type LoaderFunctionArgs, redirect } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { CURRENT_SEASON } from "#db/lists/seasons.ts";
import type { SeasonView, ShownSeason } from "#src/play/seasons/schemas.ts";
import { fetchPage, type LeaderboardData } from "./load-leaders.ts";
import { describe } from "./season-texts.ts";

type MembersData = { leaderboard: LeaderboardData | null; seasons: readonly SeasonView[] };

export type SeasonData = {
  /** Null at the address of the current season, while none runs. */
  season: ShownSeason | null;
  /** Its table, and all seasons; null for viewers without an account. */
  members: Deferred<MembersData> | null;
  /** What the preview of its link says. */
  shared?: { title: string; description: string; imageUrl: string };
};

const NOT_FOUND = 404;

/** A season's page. `current` leads to the season that runs, so that the address that is copied stays that of this season. */
export async function loadSeason(args: LoaderFunctionArgs): Promise<SeasonData> {
  const { context, params, request } = args;
  const api = context.get(apiContext);
  const slug = params["slug"] ?? CURRENT_SEASON;
  const { signal } = request;
  const season = await findSeason(api, slug, signal);
  if (season !== null && slug === CURRENT_SEASON) throw redirect(`/seasons/${season.slug}`);
  const page = pageIn(new URL(request.url).searchParams);
  const isMember = context.get(pageContext).viewer?.guest === false;
  const members = isMember
    ? await defer<MembersData>(args, async () => {
        const [leaderboard, { seasons }] = await Promise.all([
          season === null ? null : fetchPage(api, { sessionId: null, seasonId: season.slug, page }, signal),
          api.get("/api/v1/seasons", { signal }),
        ]);
        return {
          leaderboard: leaderboard === null ? null : { leaderboard, exclusions: null, teams: null },
          seasons,
        };
      })
    : null;
  if (season === null) return { season, members };
  const { name: title, state, podium, playersCount, imageUrl } = season;
  return { season, members, shared: { title, description: describe(state, podium, playersCount), imageUrl } };
}

async function findSeason(api: Api, slug: string, signal: AbortSignal): Promise<ShownSeason | null> {
  try {
    return (await api.get(`/api/v1/seasons/${encodeURIComponent(slug)}`, { signal })).season;
  } catch (error) {
    if (slug === CURRENT_SEASON && error instanceof ApiError && error.status === NOT_FOUND) return null;
    throw error;
  }
}
