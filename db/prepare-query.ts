import type { Queryable } from "./client.ts";

/**
 * Prepares a query of drizzle's builder that runs often: building it costs several times what running it does, so each database
 * builds it once. A transaction is a database of its own, which builds it for itself.
 * @param build the query with `sql.placeholder(name)` for each value, ended by `.prepare(name)`.
 * @param keyOf names the variants of the query, if there are several: few, and not one for each value.
 */
export function prepareQuery<Query, Variant = void>(
  build: (db: Queryable, variant: Variant) => Query,
  keyOf: (variant: Variant) => string = () => "",
): (db: Queryable, variant: Variant) => Query {
  const built = new WeakMap<Queryable, Map<string, Query>>();
  return (db, variant) => {
    const variants = built.get(db) ?? new Map<string, Query>();
    built.set(db, variants);
    const key = keyOf(variant);
    const query = variants.get(key) ?? build(db, variant);
    variants.set(key, query);
    return query;
  };
}
