import type { Endpoints } from "#src/http/endpoint.ts";
import {
  changeSeasonBody,
  newSeasonBody,
  seasonAnswer,
  seasonsAnswer,
  shownSeasonAnswer,
} from "./schemas.ts";

/*
 * Decision: a season's podium is public once the season has ended, as the stage's is after a show, so that its link can be sent to
 * everybody. Until then strangers read its name and its dates; the table is for those who are signed in, like all leaderboards.
 */

const overlap = "It would overlap another season. `detail` names that season and what to do.";

/** Seasons: spans of time with a leaderboard of their own, which `season_id` on the endpoints of scores names. */
export const seasonsEndpoints = {
  listSeasons: {
    route: "GET /api/v1/seasons",
    summary: "Lists all seasons in the order of time",
    who: "viewer",
    answer: seasonsAnswer,
  },
  showSeason: {
    route: "GET /api/v1/seasons/:id",
    summary: "Shows a season by its slug, its id, or as `current`, with its podium when it has ended",
    who: "public",
    params: { id: "text" },
    answer: shownSeasonAnswer,
  },
  createSeason: {
    route: "POST /api/v1/seasons",
    summary: "Names a season",
    notes:
      "What was decided from its start until before its end counts, also if that was before it was named.",
    who: "admin",
    body: { season: newSeasonBody },
    answer: seasonAnswer,
    creates: true,
    refusals: { overlap },
  },
  changeSeason: {
    route: "PATCH /api/v1/seasons/:id",
    summary: "Renames a season, or changes its dates",
    notes: "Its slug stays. With other dates, other results count.",
    who: "admin",
    body: { season: changeSeasonBody },
    answer: seasonAnswer,
    refusals: { overlap },
  },
  endSeason: {
    route: "PUT /api/v1/seasons/:id/end",
    summary: "Ends the running season now",
    who: "admin",
    answer: seasonAnswer,
    refusals: { not_running: "The season has not begun, or is over already." },
  },
  deleteSeason: {
    route: "DELETE /api/v1/seasons/:id",
    summary: "Deletes a season",
    notes: "Results, scores and wallets are not affected.",
    who: "admin",
  },
} as const satisfies Endpoints;
