import type { Deps } from "#src/base/deps.ts";
import { readLate } from "#src/http/read-late.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { replaysEndpoints } from "./endpoints.ts";
import { exportReplay } from "./export-replay.ts";
import { recomputeDecision, showDecisions } from "./show-decisions.ts";
import { showReplay } from "./show-replay.ts";

export function replaysRoutes(deps: Deps) {
  return serveEndpoints(replaysEndpoints, {
    showReplay: async ({ request, params, viewer, query }) => ({
      replay: await readLate(deps, request, (reader, { late }) =>
        showReplay(reader, { slugOrId: params.id, viewer, query }, { stoppedOnly: late }),
      ),
    }),
    exportReplay: ({ request, params, viewer, query }) =>
      readLate(deps, request, (reader) => exportReplay(reader, { slugOrId: params.id, viewer, query })),
    listDecisions: async ({ request, params }) => ({
      decisions: await readLate(deps, request, ({ pool }) => showDecisions(pool.db, params.id)),
    }),
    recomputeDecision: ({ params }) => recomputeDecision(deps, params.id),
  });
}
