import type { Deps } from "#src/base/deps.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { type EventCommand, type EventRow, withEvent } from "./with-event.ts";

/**
 * Hides an event from players and clears its timers.
 * @throws Refusal 422 unless it is visible or resolved. Open and closed events are skipped instead, which refunds them.
 */
export function hideEvent(deps: Deps, command: EventCommand & { reason?: string | null }): Promise<EventRow> {
  return withEvent(deps, { ...command, changesOrder: true }, (tx, locked) => {
    requireTransition(locked, "hide");
    return moveEvent(tx, locked, "hide", {
      nextTransition: null,
      dueAt: null,
      reason: command.reason ?? null,
    });
  });
}
