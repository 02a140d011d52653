import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { dryRunsEndpoints } from "./endpoints.ts";
import { downloadDryRun, findDryRun, listDryRuns } from "./find-dry-runs.ts";
import { cancelDryRun, startDryRun } from "./start-dry-run.ts";

export function dryRunsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(dryRunsEndpoints, {
    listDryRuns: async ({ params }) => ({ dryRuns: await listDryRuns(db, params.id) }),
    startDryRun: async ({ viewer, params, body, keyed }) => {
      const command = { actor: viewer, blueprintId: params.id, options: body.dryRun };
      return findDryRun(db, await startDryRun(deps, command, keyed));
    },
    showDryRun: ({ params }) => findDryRun(db, params.id),
    cancelDryRun: async ({ params }) => {
      await cancelDryRun(deps, params.id);
      return findDryRun(db, params.id);
    },
    downloadDryRun: ({ params }) => downloadDryRun(db, params.id),
  });
}
