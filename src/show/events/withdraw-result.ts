import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionWhen } from "#src/base/transition.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { eventStateLabel } from "./contract.ts";
import { requireTransition } from "./move-event.ts";
import { noDecision, writePending } from "./note-result.ts";
import { voidAfter } from "./schedule.ts";
import { type EventCommand, type EventRow, withEvent } from "./with-event.ts";

const ALREADY_PAID = "The result is not pending any more. Give another result or void it instead.";

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
    const { event, session, at } = locked;
    if (event.state === "resolved") throw cannotTransitionWhen(eventStateLabel("resolved"), ALREADY_PAID);
    requireTransition(locked, "withdraw");
    if (event.pendingResult === null) {
      throw cannotTransitionWhen(eventStateLabel(event.state), "No result waits to be paid.");
    }
    await requireNoStake(tx, locked, "withdraw it");
    const isOver = session?.state === "stopped";
    return writePending(tx, locked, {
      action: "withdraw",
      reason: command.reason || null,
      changes: { ...noDecision, autoResult: null, nextTransition: isOver ? "resolve" : null },
      dueAt: isOver ? voidAfter(at) : null,
    });
  });
}
