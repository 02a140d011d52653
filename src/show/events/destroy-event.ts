import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasDependents } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { allows } from "#src/http/contract.ts";
import { hideSpots } from "#src/play/spots/move-spots.ts";
import { eventTransitions } from "./contract.ts";
import { moveEvent } from "./move-event.ts";
import { type EventCommand, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/**
 * Destroys an event and its spots: all requests for it then answer 404. The rows stay.
 * @throws Refusal 422 if it has calls, of any round, and unless it is a draft, visible or hidden.
 */
export function destroyEvent(deps: Deps, command: EventCommand): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, async (tx, locked) => {
    if (await hasCalls(tx, locked)) throw hasDependents("calls");
    const { label } = eventTransitions.destroy;
    if (!allows(eventTransitions, "destroy", locked.event.state)) throw cannotTransitionVia(label);
    await hideSpots(tx, locked.event.id);
    return moveEvent(tx, locked, "destroy", { nextTransition: null, dueAt: null });
  });
}

/** Calls that were cancelled, or refunded by a skip, are destroyed themselves and do not count. */
async function hasCalls(tx: Transaction, { event }: LockedEvent): Promise<boolean> {
  return (await tx.$count(calls, and(eq(calls.eventId, event.id), ne(calls.state, "soft_destroyed")))) > 0;
}
