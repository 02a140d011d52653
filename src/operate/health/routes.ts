import type { Deps } from "#src/base/deps.ts";
import type { Hub } from "#src/live/cable/hub.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { healthEndpoints } from "./endpoints.ts";
import { findPlayers } from "./find-players.ts";
import { showHealth } from "./show-health.ts";

/** Answers the endpoints that the host of a session watches. */
export function sessionHealthRoutes(deps: Deps, hub: Pick<Hub, "loads">) {
  return serveEndpoints(healthEndpoints, {
    showHealth: async ({ params, query: { eventId = null }, now }) => ({
      health: await showHealth(deps, hub, { slugOrId: params.id, eventId }),
      meta: { serverTime: now.toISOString() },
    }),
    findPlayers: async ({ params, viewer, query: { search }, now }) => ({
      players: await findPlayers(deps.pool.db, { slugOrId: params.id, search, viewer }),
      meta: { serverTime: now.toISOString() },
    }),
  });
}
