import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Closes both spots of these events, whose gates are held. `at` is the time on the database's clock, ISO 8601.
 * @throws Refusal 422 unless all are open.
 */
export async function closeSpots(tx: Transaction, eventIds: readonly number[], at: string): Promise<void> {
  await moveSpots(tx, eventIds, "close", { closedAt: sql`${at}::timestamptz` });
}
