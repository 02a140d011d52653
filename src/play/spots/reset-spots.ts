import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";

/** Resets both spots of an event, whose gate is held: closed, and without a winner. */
export async function resetSpots(tx: Transaction, eventId: number): Promise<void> {
  await tx
    .update(spots)
    .set({ state: "closed", won: null, openedAt: null, closedAt: null, resolvedAt: null })
    .where(eq(spots.eventId, eventId));
}
