import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Opens both spots of these events, whose gates are held. `at` is the time on the database's clock, ISO 8601.
 * @throws Refusal 422 unless all are closed.
 */
export async function openSpots(tx: Transaction, eventIds: readonly number[], at: string): Promise<void> {
  await moveSpots(tx, eventIds, "open_spot", { openedAt: sql`${at}::timestamptz`, closedAt: null });
}
