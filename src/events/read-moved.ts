import { getTableColumns, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { asRefusal } from "#db/ledger/refusal.ts";
import { events } from "#db/schema/events.ts";
import type { EventRow } from "./with-event.ts";

/**
 * Reads the rows that a function of db/sql returns which moves events.
 * @throws LedgerRefusal if it refuses.
 */
export async function readMoved(db: Queryable, moving: SQL): Promise<EventRow[]> {
  try {
    // In this statement the name of the table is that of the returned rows.
    const moved = db.$with("events", getTableColumns(events)).as(sql`SELECT * FROM ${moving}`);
    return await db.with(moved).select().from(events);
  } catch (error) {
    throw asRefusal(error);
  }
}
