import type { Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { closeLockedEvent } from "./close-event.ts";
import { eventActions } from "./contract.ts";
import { openLockedEvent } from "./open-event.ts";
import { publishLockedEvent } from "./publish-event.ts";
import { dueMsOf, findNext, shiftEvent, shiftFollowing, untilNowMs } from "./shift-schedule.ts";
import { type EventRow, type LockedEvent, lockEvent } from "./with-event.ts";
import { type ActionChange, type ActionCommand, withRunningOrder } from "./with-running-order.ts";

/**
 * Performs an event's next timed transition now, and shifts all later events by the same amount: a draft is published, a
 * visible event opens, an open event closes, and after a closed event the next event starts. It never decides a result.
 * @returns the event itself, also if the next event started.
 * @throws Refusal 422 for an event in another state, if no event follows a closed one, and for an opening while the session
 *   is paused.
 */
export function advanceEvent(deps: Deps, command: ActionCommand): Promise<EventRow> {
  return withRunningOrder(deps, command, "advance", (tx, locked) => {
    const { state } = locked.event;
    if (state === "draft") return publishNow(tx, locked);
    if (state === "visible") return openNow(tx, locked);
    return state === "open" ? closeNow(tx, locked) : startNext(tx, locked);
  });
}

async function publishNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  const shiftMs = untilNowMs(locked, dueMsOf(locked));
  const moved = await shiftEvent(tx, locked, shiftMs);
  const rescheduled = await shiftFollowing(tx, locked, shiftMs);
  return { event: await publishLockedEvent(tx, { ...locked, event: moved }), rescheduled, shiftMs };
}

async function openNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  requireRunning(locked);
  const shiftMs = untilNowMs(locked, locked.event.opensAt?.getTime() ?? null);
  const event = await openLockedEvent(tx, locked);
  return { event, rescheduled: await shiftFollowing(tx, locked, shiftMs), shiftMs };
}

async function closeNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  const shiftMs = untilNowMs(locked, locked.event.closesAt?.getTime() ?? null);
  const event = await closeLockedEvent(tx, locked);
  return { event, rescheduled: await shiftFollowing(tx, locked, shiftMs), shiftMs };
}

async function startNext(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  requireRunning(locked);
  const following = await findNext(tx, locked.event, { planned: false });
  if (following === null) throw cannotTransitionVia(eventActions.advance.label, "Nothing comes after it.");
  const next = await lockEvent(tx, { eventId: following.id, actor: locked.actor });
  const visible = next.event.state === "draft" ? await publishLockedEvent(tx, next) : next.event;
  const { event: opened, rescheduled, shiftMs } = await openNow(tx, { ...next, event: visible });
  return { event: locked.event, rescheduled: [opened, ...rescheduled], shiftMs };
}

function requireRunning({ session }: LockedEvent): void {
  if (session?.state === "running") return;
  throw cannotTransitionVia(eventActions.advance.label, "The session is paused.");
}
