import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { spots } from "#db/schema/events.ts";
import { spotTransitions } from "./contract.ts";

/**
 * Sets which of both spots of an event won; after a void neither did (`won` is null). The event's gate is held.
 * `at` is the time on the database's clock, ISO 8601. A correction keeps the first `resolvedAt`.
 */
export async function resolveSpots(
  tx: Transaction,
  eventId: number,
  { result, at }: { result: "true" | "false" | "void"; at: string },
): Promise<void> {
  const { from, to } = spotTransitions.resolve_spot;
  const won = result === "void" ? sql`NULL` : sql`${spots.side} = ${result}`;
  await tx
    .update(spots)
    .set({ state: to, won, resolvedAt: sql`coalesce(${spots.resolvedAt}, ${at}::timestamptz)` })
    .where(and(eq(spots.eventId, eventId), inArray(spots.state, from)));
}
