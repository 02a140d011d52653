import type { Deps } from "#src/base/deps.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventOrder, type EventRow, withEvent } from "./with-event.ts";

/**
 * Takes an event out of the players' sight; nothing happens to it by itself any more.
 * @throws Refusal 422 unless it is visible or resolved: an open or closed one leaves by skipping, which refunds.
 */
export function hideEvent(deps: Deps, order: EventOrder & { reason?: string | null }): Promise<EventRow> {
  return withEvent(deps, order, (tx, locked) => {
    requireTransition(locked, "hide");
    return moveEvent(tx, locked, "hide", { nextTransition: null, dueAt: null, reason: order.reason ?? null });
  });
}
