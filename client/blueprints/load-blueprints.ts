import type { LoaderFunctionArgs } from "react-router";
import type { BlueprintsAnswer } from "#src/blueprints/schemas.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

/** Loads a page of the blueprints; `?name=derby` filters by a part of the name. */
export async function loadBlueprints({ context, request }: LoaderFunctionArgs): Promise<BlueprintsAnswer> {
  const search = new URL(request.url).searchParams;
  const name = search.get("name")?.trim() ?? "";
  return context.get(apiContext).get("/api/v1/blueprints", {
    query: { name: name === "" ? null : name, page: pageIn(search) },
    signal: request.signal,
  });
}
