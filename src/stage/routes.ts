import type { Deps } from "#src/base/deps.ts";
import { requireWatcher } from "#src/sessions/require-watcher.ts";
import { serveEndpoints } from "#src/sign-ins/serve-endpoints.ts";
import { stageEndpoints } from "./endpoints.ts";
import { showStage } from "./show-stage.ts";

/** Answers the endpoint of the big screen. */
export function stageRoutes(deps: Deps) {
  return serveEndpoints(deps, stageEndpoints, {
    showStage: async ({ params, authentication }) => {
      await requireWatcher(deps.pool.db, authentication, params.id);
      return showStage(deps, params.id);
    },
  });
}
