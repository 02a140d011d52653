import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { seasonsEndpoints } from "./endpoints.ts";
import { changeSeason, createSeason, deleteSeason, endSeason } from "./manage-seasons.ts";
import { listSeasons, showSeason } from "./show-season.ts";

export function seasonsRoutes(deps: Deps) {
  return serveEndpoints(seasonsEndpoints, {
    listSeasons: () => listSeasons(deps),
    showSeason: async ({ params }) => ({ season: await showSeason(deps, params.id) }),
    createSeason: async ({ viewer, body, keyed }) => ({
      season: await createSeason(deps, { ...body.season, actor: viewer }, keyed),
    }),
    changeSeason: async ({ viewer, params, body }) => ({
      season: await changeSeason(deps, { id: params.id, actor: viewer, changes: body.season }),
    }),
    endSeason: async ({ viewer, params }) => ({
      season: await endSeason(deps, { id: params.id, actor: viewer }),
    }),
    deleteSeason: ({ viewer, params }) => deleteSeason(deps, { id: params.id, actor: viewer }),
  });
}
