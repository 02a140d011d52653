import { and, eq, inArray, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import type { Transaction } from "#db/client.ts";
import { anyOf, writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import type { EventResult } from "#db/lists/events.ts";
import { sides } from "#db/lists/spots.ts";
import { spots } from "#db/schema/events.ts";
import { cannotTransitionVia } from "#src/base/refusal.ts";
import { spotTransitions, winnerOf } from "./contract.ts";

/**
 * Performs a transition on both spots of each of these events, whose gates are held.
 * @throws Refusal 422 `cannot transition via "Open"` unless the transition is allowed for all these spots.
 */
export async function moveSpots(
  tx: Transaction,
  eventIds: readonly number[],
  name: keyof typeof spotTransitions,
  changes: Omit<PgUpdateSetSource<typeof spots>, "state"> = {},
): Promise<void> {
  const { from, to, label } = spotTransitions[name];
  const moved = await tx
    .update(spots)
    .set({ ...changes, state: to })
    .where(and(anyOf(spots.eventId, eventIds), inArray(spots.state, from)))
    .returning({ id: spots.id });
  if (moved.length !== eventIds.length * sides.length)
    throw cannotTransitionVia(label, "The sides of this action are in another state. Load it again.");
}

/**
 * Sets which of both spots of these events won; after a void neither did (`won` is null). The events' gates are held.
 * @param results by event.
 * @param at the time on the database's clock, ISO 8601. A correction keeps the first `resolvedAt`.
 */
export async function resolveSpots(
  tx: Transaction,
  results: ReadonlyMap<number, EventResult>,
  at: string,
): Promise<void> {
  const ids = [...results.keys()];
  const sides = [...results.values()].map((result) => winnerOf[result]);
  const winner = sql`(${writeTextArray(sides)}::text[])[array_position(${writeIntegerArray(ids)}::bigint[], ${spots.eventId})]`;
  await moveSpots(tx, ids, "resolve_spot", {
    won: sql`${spots.side} = ${winner}`,
    resolvedAt: sql`coalesce(${spots.resolvedAt}, ${at}::timestamptz)`,
  });
}

/** Resets both spots of an event, whose gate is held: closed, and without a winner. */
export async function resetSpots(tx: Transaction, eventId: number): Promise<void> {
  await tx
    .update(spots)
    .set({ state: "closed", won: null, openedAt: null, closedAt: null, resolvedAt: null })
    .where(eq(spots.eventId, eventId));
}
