import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { moveSpots } from "./move-spots.ts";

/**
 * Opens both spots of an event whose gate is held. `at` is the time on the database's clock, ISO 8601.
 * @throws Refusal 422 unless both are closed.
 */
export async function openSpots(tx: Transaction, eventId: number, at: string): Promise<void> {
  await moveSpots(tx, [eventId], "open_spot", { openedAt: sql`${at}::timestamptz`, closedAt: null });
}
