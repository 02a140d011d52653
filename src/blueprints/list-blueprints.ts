import type { Queryable } from "#db/client.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage } from "#src/http/read-query.ts";
import type { BlueprintsAnswer } from "./contract.ts";
import { findBlueprintPage } from "./find-blueprint-views.ts";

/**
 * A page of the blueprints by name.
 * @param query `?page=2&per_page=50`
 * @throws Refusal 422 for a page that is none.
 */
export async function listBlueprints(
  db: Queryable,
  query: Record<string, unknown>,
  now: Date,
): Promise<BlueprintsAnswer> {
  const page = readPage(query);
  const { blueprints, totalCount } = await findBlueprintPage(db, page);
  return { blueprints, meta: listMeta(page, totalCount, now) };
}
