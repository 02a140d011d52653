import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { waitFor } from "./wait-for.ts";

/** Waits until this many connections of the database wait for a lock. @param db no transaction: it would see what was before. */
export async function untilBlocked(db: Queryable, count = 1): Promise<void> {
  const blocked = sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await waitFor(`${count} blocked connections`, async () => (await db.execute(blocked)).length >= count);
}
