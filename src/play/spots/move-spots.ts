import { and, inArray } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { sides } from "#db/lists/spots.ts";
import { spots } from "#db/schema/events.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { spotTransitions } from "./contract.ts";

type Changes = Omit<PgUpdateSetSource<typeof spots>, "state">;

/**
 * Performs a transition on both spots of each of these events, whose gates are held.
 * @throws Refusal 422 `cannot transition via "Open"` unless the transition is allowed for all these spots.
 */
export async function moveSpots(
  tx: Transaction,
  eventIds: readonly number[],
  name: keyof typeof spotTransitions,
  changes: Changes = {},
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
