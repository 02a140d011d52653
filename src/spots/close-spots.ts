import { and, inArray, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { spotTransitions } from "./contract.ts";

/** Closes both spots of these events, whose gates are held. `at` is the time on the database's clock, ISO 8601. */
export async function closeSpots(tx: Transaction, eventIds: readonly number[], at: string): Promise<void> {
  const { from, to } = spotTransitions.close;
  await tx
    .update(spots)
    .set({ state: to, closedAt: sql`${at}::timestamptz` })
    .where(and(anyOf(spots.eventId, eventIds), inArray(spots.state, from)));
}
