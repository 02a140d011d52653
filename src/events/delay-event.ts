import type { Deps } from "#src/base/deps.ts";
import { invalid } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { eventActions } from "./contract.ts";
import { dueMsOf, shiftEvent, shiftFollowing } from "./shift-schedule.ts";
import { type EventRow, type LockedEvent, showTime } from "./with-event.ts";
import { type ShowOrder, withShow } from "./with-show.ts";

/**
 * Moves what happens next to an event by itself, and everything after it.
 * @param order `seconds` below 0 bring it forward.
 * @throws Refusal 422 where nothing is planned for it, or where it would come to lie in the past.
 */
export function delayEvent(deps: Deps, order: ShowOrder & { seconds: number }): Promise<EventRow> {
  return withShow(deps, order, "delay", async (tx, locked) => {
    const dueMs = dueMsOf(locked);
    if (dueMs === null) throw cannotTransitionVia(eventActions.delay.label, "Nothing is planned for it.");
    const shiftMs = order.seconds * 1_000;
    requireToCome(shiftMs, dueMs - earliestMs(locked));
    const rescheduled = await shiftFollowing(tx, locked, shiftMs);
    return { event: await shiftEvent(tx, locked, shiftMs), rescheduled, shiftMs };
  });
}

/** Nothing comes to lie in the past, and an event that has opened closes after that. */
function earliestMs(locked: LockedEvent): number {
  const nowMs = Date.parse(showTime(locked));
  const { state, opensAt } = locked.event;
  return state === "open" && opensAt !== null ? Math.max(nowMs, opensAt.getTime() + 1) : nowMs;
}

function requireToCome(shiftMs: number, leftMs: number): void {
  if (shiftMs >= 0 || leftMs + shiftMs >= 0) return;
  const most = Math.min(0, -Math.floor(leftMs / 1_000));
  throw invalid(
    { seconds: [`must be greater than or equal to ${most}`] },
    { detail: "It would lie in the past." },
  );
}
