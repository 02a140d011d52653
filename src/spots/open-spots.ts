import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { spotTransitions } from "./contract.ts";

/** Opens both spots of an event whose gate is held. `at` is the time on the database's clock, ISO 8601. */
export async function openSpots(tx: Transaction, eventId: number, at: string): Promise<void> {
  const { from, to } = spotTransitions.open_spot;
  await tx
    .update(spots)
    .set({ state: to, openedAt: sql`${at}::timestamptz`, closedAt: null })
    .where(and(eq(spots.eventId, eventId), inArray(spots.state, from)));
}
