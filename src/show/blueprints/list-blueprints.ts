import type { Queryable } from "#db/client.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { findBlueprintPage } from "./find-blueprint-views.ts";
import type { BlueprintsAnswer, BlueprintsQuery } from "./schemas.ts";

/**
 * A page of the blueprints, sorted by name.
 * @param query `name` is a part of the name; without it, all blueprints.
 */
export async function listBlueprints(
  db: Queryable,
  { query: { name }, page }: { query: BlueprintsQuery; page: Page },
  now: Date,
): Promise<BlueprintsAnswer> {
  const { blueprints, totalCount } = await findBlueprintPage(db, { named: name, ...page });
  return { blueprints, meta: listMeta(page, totalCount, now) };
}
