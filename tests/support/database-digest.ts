import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";

const tableRow = v.object({ name: v.string() });
const digestRow = v.object({ digest: v.string() });

const queries = new WeakMap<Queryable, SQL>();

/**
 * A digest of all tables: the number of rows of each, and the transactions that wrote them. Two equal digests mean that nothing
 * has changed between them.
 */
export async function digestTables(db: Queryable): Promise<string> {
  const query = queries.get(db) ?? (await buildQuery(db));
  queries.set(db, query);
  const [row] = await db.execute(query);
  return v.parse(digestRow, row).digest;
}

async function buildQuery(db: Queryable): Promise<SQL> {
  const tables = await db.execute(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const names = [...tables].map((row) => v.parse(tableRow, row).name);
  const counts = names.map(
    (name) =>
      sql`SELECT ${name}::text AS name, count(*) AS rows, coalesce(sum(xmin::text::bigint), 0) AS writers FROM ${sql.identifier(name)}`,
  );
  return sql`SELECT string_agg(name || ' ' || rows || ' ' || writers, E'\\n' ORDER BY name) AS digest
    FROM (${sql.join(counts, sql` UNION ALL `)}) AS tables`;
}
