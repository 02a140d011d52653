import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { downloadDryRun, findDryRun, listDryRuns } from "./find-dry-runs.ts";
import { dryRunAnswer, dryRunsAnswer, startDryRunBody } from "./schemas.ts";
import { cancelDryRun, startDryRun } from "./start-dry-run.ts";

/** Dry runs: a blueprint played by simulated players, apart from everything real. All are for admins. */
export const dryRunsEndpoints = {
  listDryRuns: endpoint({
    route: "GET /api/v1/blueprints/:id/dry_runs",
    summary: "Lists the latest dry runs of a blueprint",
    notes: "The newest ten. A dry run is deleted after seven days.",
    who: "admin",
    answer: dryRunsAnswer,
    handle: async (deps, { params }) => ({ dryRuns: await listDryRuns(deps.pool.db, params.id) }),
  }),
  startDryRun: endpoint({
    route: "POST /api/v1/blueprints/:id/dry_runs",
    summary: "Plays a blueprint with simulated players",
    notes:
      "A worker plays it on a virtual clock, in a database that is dropped afterwards. The same blueprint, options and seed give " +
      "the same report, byte for byte.",
    who: "admin",
    body: { dryRun: startDryRunBody },
    bodyOptional: true,
    rate: rates.dryRun,
    answer: dryRunAnswer,
    creates: true,
    refusals: {
      dry_run_unfinished: { status: 409, when: "Another dry run of the same admin has not ended." },
      too_large: "Players times actions is above 12,000.",
      nothing_to_play: "The blueprint has no actions.",
    },
    handle: async (deps, { viewer, params, body, keyed }) => {
      const command = { actor: viewer, blueprintId: params.id, options: body.dryRun };
      return findDryRun(deps.pool.db, await startDryRun(deps, command, keyed));
    },
  }),
  showDryRun: endpoint({
    route: "GET /api/v1/dry_runs/:id",
    summary: "Shows a dry run, with its progress or its report",
    who: "admin",
    answer: dryRunAnswer,
    handle: (deps, { params }) => findDryRun(deps.pool.db, params.id),
  }),
  cancelDryRun: endpoint({
    route: "PUT /api/v1/dry_runs/:id/cancel",
    summary: "Cancels a dry run",
    notes: "One that has ended stays as it is.",
    who: "admin",
    answer: dryRunAnswer,
    handle: async (deps, { params }) => {
      await cancelDryRun(deps, params.id);
      return findDryRun(deps.pool.db, params.id);
    },
  }),
  downloadDryRun: endpoint({
    route: "GET /api/v1/dry_runs/:id/report.json",
    summary: "Downloads the report of a dry run, with every tap",
    who: "admin",
    answer: "file",
    handle: (deps, { params }) => downloadDryRun(deps.pool.db, params.id),
  }),
};
