import type { Queryable } from "#db/client.ts";
import { listMeta } from "#src/http/list-meta.ts";
import { readPage, readQuery } from "#src/http/read-query.ts";
import { type BlueprintsAnswer, blueprintsQuery } from "./contract.ts";
import { findBlueprintPage } from "./find-blueprint-views.ts";

/**
 * A page of the blueprints by name.
 * @param query `?name=derby&page=2&per_page=50`; of a name a part is enough.
 * @throws Refusal 422 for a name or a page that is none.
 */
export async function listBlueprints(
  db: Queryable,
  query: Record<string, unknown>,
  now: Date,
): Promise<BlueprintsAnswer> {
  const page = readPage(query);
  const { name } = readQuery(query, blueprintsQuery);
  const { blueprints, totalCount } = await findBlueprintPage(db, { named: name, ...page });
  return { blueprints, meta: listMeta(page, totalCount, now) };
}
