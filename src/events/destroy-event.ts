import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import { hideSpots } from "#src/spots/hide-spots.ts";
import { eventTransitions } from "./contract.ts";
import { moveEvent } from "./move-event.ts";
import { type EventOrder, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/**
 * Removes an event and its spots; from then on it is not found.
 * @throws Refusal 422 where somebody has called on it, in whatever round, and unless it is a draft, visible or hidden.
 */
export function destroyEvent(deps: Deps, order: EventOrder): Promise<EventRow> {
  return withEvent(deps, order, async (tx, locked) => {
    if (await hasCalls(tx, locked)) throw hasDependents("calls");
    const { label } = eventTransitions.destroy;
    if (!allows(eventTransitions, "destroy", locked.event.state)) throw cannotTransitionVia(label);
    await hideSpots(tx, locked.event.id);
    return moveEvent(tx, locked, "destroy", { nextTransition: null, dueAt: null });
  });
}

/** A call that was taken back or refunded by a skip is destroyed itself, and holds nothing here. */
async function hasCalls(tx: Transaction, { event }: LockedEvent): Promise<boolean> {
  return (await tx.$count(calls, and(eq(calls.eventId, event.id), ne(calls.state, "soft_destroyed")))) > 0;
}
