import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";

const column = v.object({ table: v.string(), columns: v.string() });
const digest = v.object({ name: v.string(), rows: v.number(), digest: v.string() });

/** The rows of each table as a hash, without the ids of transactions, and the position of each sequence. */
export async function readEverything(db: Queryable): Promise<Record<string, string>> {
  const tables = v.parse(v.array(column), [...(await db.execute(tablesQuery))]);
  const digests = await Promise.all(
    tables.map(async ({ table, columns }) => {
      const rows = sql.raw(`SELECT '${table}' AS name, count(*)::int AS rows,
        md5(coalesce(string_agg(r::text, E'\\n' ORDER BY r::text), '')) AS digest
        FROM (SELECT ${columns} FROM public."${table}") r`);
      return v.parse(digest, [...(await db.execute(rows))][0]);
    }),
  );
  const sequences = await db.execute(
    sql`SELECT string_agg(sequencename || ' ' || coalesce(last_value, 0), ', ' ORDER BY sequencename) AS text FROM pg_sequences WHERE schemaname = 'public'`,
  );
  return {
    ...Object.fromEntries(digests.map(({ name, rows, digest: hash }) => [name, `${rows} ${hash}`])),
    sequences: String(sequences[0]?.["text"]),
  };
}

const tablesQuery = sql`SELECT c.relname AS table, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attname) AS columns
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  AND a.atttypid <> 'xid8'::regtype GROUP BY c.relname ORDER BY c.relname`;

/** The message of the error that the work ends with; "" if it succeeds. */
export async function messageOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "";
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
