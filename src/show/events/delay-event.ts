import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { eventActions } from "./contract.ts";
import { dueMsOf, shiftEvent, shiftFollowing } from "./shift-schedule.ts";
import { type EventRow, type LockedEvent, sessionTime } from "./with-event.ts";
import { type ActionCommand, withRunningOrder } from "./with-running-order.ts";

/**
 * Shifts the next timed transition of an event, and all later events.
 * @param command `seconds`: below 0 is earlier.
 * @throws Refusal 422 if nothing is planned for the event, or if it would be in the past; 403 for an actor who has a call on it.
 */
export function delayEvent(deps: Deps, command: ActionCommand & { seconds: number }): Promise<EventRow> {
  return withRunningOrder(deps, command, "delay", async (tx, locked) => {
    await requireNoStake(tx, locked, "change its times");
    const dueMs = dueMsOf(locked);
    if (dueMs === null) throw cannotTransitionVia(eventActions.delay.label, "Nothing is planned for it.");
    const shiftMs = command.seconds * 1_000;
    requireFuture(shiftMs, dueMs - earliestMs(locked));
    const rescheduled = await shiftFollowing(tx, locked, shiftMs);
    return { event: await shiftEvent(tx, locked, shiftMs), rescheduled, shiftMs };
  });
}

/** The earliest allowed due time: now, and for an open event after its opening. */
function earliestMs(locked: LockedEvent): number {
  const nowMs = Date.parse(sessionTime(locked));
  const { state, opensAt } = locked.event;
  return state === "open" && opensAt !== null ? Math.max(nowMs, opensAt.getTime() + 1) : nowMs;
}

function requireFuture(shiftMs: number, leftMs: number): void {
  if (shiftMs >= 0 || leftMs + shiftMs >= 0) return;
  const most = Math.min(0, -Math.floor(leftMs / 1_000));
  throw invalid(
    { seconds: [`must be greater than or equal to ${most}`] },
    { detail: "It would lie in the past." },
  );
}
