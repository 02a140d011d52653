import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";

const indexRow = v.object({ name: v.string(), definition: v.string() });

/**
 * Fills tables without their indexes, and builds these again afterwards from what was written: much faster for millions of rows.
 * Indexes of constraints stay.
 */
export async function withoutIndexes(
  tx: Transaction,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const indexes = v.parse(v.array(indexRow), [
    ...(await tx.execute(sql`SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition
      FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relname IN ${tables}
        AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid)`)),
  ]);
  for (const { name } of indexes) await tx.execute(sql`DROP INDEX ${sql.raw(name)}`);
  await fill();
  await tx.execute(sql`SET LOCAL maintenance_work_mem = '512MB'`);
  for (const { definition } of indexes) await tx.execute(sql.raw(definition));
}
