import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { changeSeason, createSeason, deleteSeason, endSeason } from "./manage-seasons.ts";
import {
  changeSeasonBody,
  newSeasonBody,
  seasonAnswer,
  seasonsAnswer,
  shownSeasonAnswer,
} from "./schemas.ts";
import { listSeasons, showSeason } from "./show-season.ts";

/*
 * Decision: a season's podium is public once the season has ended, as the stage's is after a show, so that its link can be sent to
 * everybody. Until then strangers read its name and its dates; the table is for those who are signed in, like all leaderboards.
 */

const overlap = "It would overlap another season. `detail` names that season and what to do.";

/** Seasons: spans of time with a leaderboard of their own, which `season_id` on the endpoints of scores names. */
export const seasonsEndpoints = {
  listSeasons: endpoint({
    route: "GET /api/v1/seasons",
    summary: "Lists all seasons in the order of time",
    who: "viewer",
    answer: seasonsAnswer,
    handle: (deps) => listSeasons(deps),
  }),
  showSeason: endpoint({
    route: "GET /api/v1/seasons/:id",
    summary: "Shows a season by its slug, its id, or as `current`, with its podium when it has ended",
    who: "public",
    params: { id: "text" },
    answer: shownSeasonAnswer,
    handle: async (deps, { params }) => ({ season: await showSeason(deps, params.id) }),
  }),
  createSeason: endpoint({
    route: "POST /api/v1/seasons",
    summary: "Names a season",
    notes:
      "What was decided from its start until before its end counts, also if that was before it was named.",
    who: "admin",
    body: { season: newSeasonBody },
    answer: seasonAnswer,
    creates: true,
    refusals: { overlap },
    handle: async (deps, { viewer, body, keyed }) => ({
      season: await createSeason(deps, { ...body.season, actor: viewer }, keyed),
    }),
  }),
  changeSeason: endpoint({
    route: "PATCH /api/v1/seasons/:id",
    summary: "Renames a season, or changes its dates",
    notes: "Its slug stays. With other dates, other results count.",
    who: "admin",
    body: { season: changeSeasonBody },
    answer: seasonAnswer,
    refusals: { overlap },
    handle: async (deps, { viewer, params, body }) => ({
      season: await changeSeason(deps, { id: params.id, actor: viewer, changes: body.season }),
    }),
  }),
  endSeason: endpoint({
    route: "PUT /api/v1/seasons/:id/end",
    summary: "Ends the running season now",
    who: "admin",
    answer: seasonAnswer,
    refusals: { not_running: "The season has not begun, or is over already." },
    handle: async (deps, { viewer, params }) => ({
      season: await endSeason(deps, { id: params.id, actor: viewer }),
    }),
  }),
  deleteSeason: endpoint({
    route: "DELETE /api/v1/seasons/:id",
    summary: "Deletes a season",
    notes: "Results, scores and wallets are not affected.",
    who: "admin",
    handle: (deps, { viewer, params }) => deleteSeason(deps, { id: params.id, actor: viewer }),
  }),
};
