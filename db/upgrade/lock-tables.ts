import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";

// Decision: a migration takes all tables at once or none, and gives up before Postgres would look for a deadlock (after a second). So no
// request of a release that still runs is ended for it: such requests wait for the migration, or it for them.

/** Shorter than deadlock_timeout. */
const TAKEN_WITHIN_MS = 500;

/** Requests hold tables, and the migration has released those that it had. */
export class TablesInUse extends Error {
  override readonly name = "TablesInUse";
}

const tableRow = v.object({ tables: v.nullable(v.string()) });
const cancelled = v.object({ cause: v.object({ errno: v.literal("57014") }) });

/**
 * Takes all tables and views for the rest of the transaction, so that it waits for nothing more.
 * @throws TablesInUse after half a second. Then end the transaction, and try again in another one.
 */
export async function lockTables(tx: Transaction): Promise<void> {
  const [{ tables }] = v.parse(v.tuple([tableRow]), [...(await tx.execute(tablesQuery))]);
  if (tables === null) return;
  // Requests do not conflict with this one. It ends an autovacuum, which gives way to those who have waited for a second.
  await tx.execute(sql.raw(`LOCK TABLE ${tables} IN SHARE UPDATE EXCLUSIVE MODE`));
  await tx.execute(sql.raw(`SET LOCAL statement_timeout = ${TAKEN_WITHIN_MS}`));
  try {
    await tx.execute(sql.raw(`LOCK TABLE ${tables} IN ACCESS EXCLUSIVE MODE`));
  } catch (error) {
    if (v.is(cancelled, error)) throw new TablesInUse("The tables are in use", { cause: error });
    throw error;
  }
  await tx.execute(sql`SET LOCAL statement_timeout = 0`);
}

const tablesQuery = sql`SELECT string_agg(c.oid::regclass::text, ', ' ORDER BY c.relkind, c.relname) AS tables
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;
