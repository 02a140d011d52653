import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";

const tableRow = v.object({ name: v.string() });
const digestRow = v.object({ digest: v.string() });

/**
 * Answers a function that says what all tables hold, in one text: how many rows each has, and by which transactions they were
 * written. Nothing has changed where it says the same twice.
 */
export async function digesting({ pool }: Pick<Deps, "pool">): Promise<() => Promise<string>> {
  const found = await pool.db.execute(
    sql`SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  const names = [...found].map((row) => v.parse(tableRow, row).name);
  const counts = names.map(
    (name) =>
      sql`SELECT ${name}::text AS name, count(*) AS rows, coalesce(sum(xmin::text::bigint), 0) AS writers FROM ${sql.identifier(name)}`,
  );
  const query = sql`SELECT string_agg(name || ' ' || rows || ' ' || writers, E'\\n' ORDER BY name) AS digest
    FROM (${sql.join(counts, sql` UNION ALL `)}) AS tables`;
  return async () => {
    const [row] = await pool.db.execute(query);
    return v.parse(digestRow, row).digest;
  };
}
