import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/sign-ins/serve-endpoints.ts";
import { replaysEndpoints } from "./endpoints.ts";
import { exportReplay } from "./export-replay.ts";
import { recomputeDecision } from "./recompute-decision.ts";
import { showDecisions } from "./show-decisions.ts";
import { showReplay } from "./show-replay.ts";

/** Answers the endpoints of replays. */
export function replaysRoutes(deps: Deps) {
  return serveEndpoints(deps, replaysEndpoints, {
    showReplay: async ({ params, viewer, query }) => ({
      replay: await showReplay(deps, { slugOrId: params.id, viewer, query }),
    }),
    exportReplay: ({ params, viewer, query }) => exportReplay(deps, { slugOrId: params.id, viewer, query }),
    listDecisions: async ({ params }) => ({ decisions: await showDecisions(deps.pool.db, params.id) }),
    recomputeDecision: ({ params }) => recomputeDecision(deps, params.id),
  });
}
