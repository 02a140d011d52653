import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { eventStateLabels } from "./contract.ts";
import { requireTransition } from "./move-event.ts";
import { noPendingResult, writePending } from "./note-result.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { voidAfter } from "./schedule.ts";
import { type EventCommand, type EventRow, withEvent } from "./with-event.ts";

/**
 * Withdraws the pending result of an event. No money has moved. An admin has to decide afterwards, even if the event would
 * have resolved itself.
 * @throws Refusal 422 without a pending result; 403 for an actor who has a call on the event.
 */
export function withdrawResult(
  deps: Deps,
  command: EventCommand & { reason?: string | null },
): Promise<EventRow> {
  return withEvent(deps, command, async (tx, locked) => {
    requireTransition(locked, "withdraw");
    const { event, session, at } = locked;
    if (event.pendingResult === null) {
      throw cannotTransitionWhen(eventStateLabels[event.state], "No result waits to be paid.");
    }
    await requireNoStake(tx, locked, "withdraw");
    const isOver = session?.state === "stopped";
    return writePending(tx, locked, {
      action: "withdraw",
      reason: command.reason || null,
      changes: { ...noPendingResult, autoResult: null, nextTransition: isOver ? "resolve" : null },
      dueAt: isOver ? voidAfter(at) : null,
    });
  });
}
