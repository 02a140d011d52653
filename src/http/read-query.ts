import type * as v from "valibot";
import { camelize } from "./camelize.ts";
import { checkInput, type Schema } from "./check-input.ts";
import type { Page } from "./list-meta.ts";
import { pageQuery } from "./schemas.ts";

/**
 * Reads a query string by its schema, keys in camelCase.
 * @param query as Elysia parsed it. Parameters that the schema does not name are ignored.
 * Refuses invalid values: 422.
 */
export function readQuery<S extends Schema>(query: Record<string, unknown>, schema: S): v.InferOutput<S> {
  return checkInput(schema, camelize({ ...query }));
}

/** Reads `?page=2&per_page=50`. Refuses values out of bounds: 422. */
export function readPage(query: Record<string, unknown>): Page {
  const { page, perPage } = readQuery(query, pageQuery);
  return { page, perPage, offset: (page - 1) * perPage };
}
