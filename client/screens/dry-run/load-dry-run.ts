import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import { blueprintPath } from "#client/blueprints/load-blueprint.ts";
import type { DryRunAnswer, DryRunView } from "#src/dry-runs/schemas.ts";
import type { BlueprintView } from "#src/show/blueprints/schemas.ts";

export type DryRunData = {
  blueprint: BlueprintView;
  /** The newest first. */
  dryRuns: DryRunView[];
  /** The one in the address (`?run=12`), else the newest; null if there is none. */
  shown: DryRunAnswer["dryRun"] | null;
};

/** Loads a blueprint with its latest dry runs, and one of them with its report. */
export async function loadDryRun({ context, params, request }: LoaderFunctionArgs): Promise<DryRunData> {
  const api = context.get(apiContext);
  const { signal } = request;
  const path = blueprintPath(params["id"]);
  const [{ blueprint }, { dryRuns }] = await Promise.all([
    api.get(path, { signal }),
    api.get(`${path}/dry_runs`, { signal }),
  ]);
  const asked = Number(new URL(request.url).searchParams.get("run"));
  const chosen = dryRuns.find(({ id }) => id === asked) ?? dryRuns[0];
  if (chosen === undefined) return { blueprint, dryRuns, shown: null };
  const { dryRun } = await api.get(`/api/v1/dry_runs/${chosen.id}`, { signal });
  return { blueprint, dryRuns, shown: dryRun };
}
