import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { spotTransitions } from "./contract.ts";

/** Destroys both spots of an event that is being destroyed. Its gate is held, and it has no active calls. */
export async function hideSpots(tx: Transaction, eventId: number): Promise<void> {
  const { from, to } = spotTransitions.hide;
  await tx
    .update(spots)
    .set({ state: to })
    .where(and(eq(spots.eventId, eventId), inArray(spots.state, from)));
}
