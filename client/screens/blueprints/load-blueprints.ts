import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { BlueprintsAnswer, RemovalsAnswer } from "#src/show/blueprints/schemas.ts";

export type BlueprintsPage = BlueprintsAnswer & RemovalsAnswer;
export type BlueprintsData = { page: Deferred<BlueprintsPage> };

/** Loads a page of the blueprints; `?name=derby` filters by a part of the name. */
export async function loadBlueprints(args: LoaderFunctionArgs): Promise<BlueprintsData> {
  const { context, request } = args;
  const search = new URL(request.url).searchParams;
  const name = search.get("name")?.trim() ?? "";
  const api = context.get(apiContext);
  const { signal } = request;
  const query = { name: name === "" ? null : name, page: pageIn(search) };
  const page = await defer(args, async () => {
    const [blueprints, { removals }] = await Promise.all([
      api.get("/api/v1/blueprints", { query, signal }),
      api.get("/api/v1/blueprint_removals", { signal }),
    ]);
    return { ...blueprints, removals };
  });
  return { page };
}
