import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { spotTransitions } from "./states.ts";

/** Closes both spots of an event whose gate is held. `at` is the moment on the database's clock, ISO 8601. */
export async function closeSpots(tx: Transaction, eventId: number, at: string): Promise<void> {
  const { from, to } = spotTransitions.close;
  await tx
    .update(spots)
    .set({ state: to, closedAt: sql`${at}::timestamptz` })
    .where(and(eq(spots.eventId, eventId), inArray(spots.state, from)));
}
