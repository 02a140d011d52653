import type { LoaderFunctionArgs } from "react-router";
import type { BlueprintsAnswer } from "#src/blueprints/schemas.ts";
import { apiContext } from "../context.ts";
import { defer } from "../deferred/defer.ts";
import type { Deferred } from "../deferred/deferred.ts";
import { pageIn } from "../ui/page-in.ts";

export type BlueprintsData = { page: Deferred<BlueprintsAnswer> };

/** Loads a page of the blueprints; `?name=derby` filters by a part of the name. */
export async function loadBlueprints(args: LoaderFunctionArgs): Promise<BlueprintsData> {
  const { context, request } = args;
  const search = new URL(request.url).searchParams;
  const name = search.get("name")?.trim() ?? "";
  const page = await defer(args, () =>
    context.get(apiContext).get("/api/v1/blueprints", {
      query: { name: name === "" ? null : name, page: pageIn(search) },
      signal: request.signal,
    }),
  );
  return { page };
}
