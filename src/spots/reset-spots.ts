import { eq } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";

/** Puts both spots of an event, whose gate is held, where they started: closed, and nobody has won. */
export async function resetSpots(tx: Transaction, eventId: number): Promise<void> {
  await tx
    .update(spots)
    .set({ state: "closed", won: null, openedAt: null, closedAt: null, resolvedAt: null })
    .where(eq(spots.eventId, eventId));
}
