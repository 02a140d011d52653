import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { eventStateLabels } from "./contract.ts";
import { requireTransition } from "./move-event.ts";
import { notPending, writePending } from "./note-result.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { voidAfter } from "./void-after.ts";
import { type EventOrder, type EventRow, withEvent } from "./with-event.ts";

/**
 * Takes a noted result back before it is paid: no money has moved, and none does. From here on somebody decides, also
 * where the event would have resolved by itself.
 * @throws Refusal 422 unless a result waits to be paid; 403 for whoever has a call on the event.
 */
export function withdrawResult(
  deps: Deps,
  order: EventOrder & { reason?: string | null },
): Promise<EventRow> {
  return withEvent(deps, order, async (tx, locked) => {
    requireTransition(locked, "withdraw");
    const { event, session, at } = locked;
    if (event.pendingResult === null) {
      throw cannotTransitionWhen(eventStateLabels[event.state], "No result waits to be paid.");
    }
    await requireNoStake(tx, locked, "withdraw");
    const isOver = session?.state === "stopped";
    return writePending(tx, locked, {
      action: "withdraw",
      reason: order.reason || null,
      changes: { ...notPending, autoResult: null, nextTransition: isOver ? "resolve" : null },
      dueAt: isOver ? voidAfter(at) : null,
    });
  });
}
