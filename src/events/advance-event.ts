import type { Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { closeLockedEvent } from "./close-event.ts";
import { eventActions } from "./contract.ts";
import { openLockedEvent } from "./open-event.ts";
import { publishLockedEvent } from "./publish-event.ts";
import { dueMsOf, findNext, shiftEvent, shiftFollowing, untilNowMs } from "./shift-schedule.ts";
import { type EventRow, type LockedEvent, lockEvent } from "./with-event.ts";
import { type ShowChange, type ShowOrder, withShow } from "./with-show.ts";

/**
 * Performs an event's next timed transition now, and moves everything after it by the same amount: a draft is published, a
 * visible event opens, an open one closes, and on a closed one the next event starts. It never guesses a result.
 * @returns the event itself, also where it was the next one that started.
 * @throws Refusal 422 where there is no such step, where nothing comes after a closed event, and where something would open
 *   while the session is paused.
 */
export function advanceEvent(deps: Deps, order: ShowOrder): Promise<EventRow> {
  return withShow(deps, order, "advance", (tx, locked) => {
    const { state } = locked.event;
    if (state === "draft") return publishNow(tx, locked);
    if (state === "visible") return openNow(tx, locked);
    return state === "open" ? closeNow(tx, locked) : startNext(tx, locked);
  });
}

async function publishNow(tx: Transaction, locked: LockedEvent): Promise<ShowChange> {
  const shiftMs = untilNowMs(locked, dueMsOf(locked));
  const moved = await shiftEvent(tx, locked, shiftMs);
  const rescheduled = await shiftFollowing(tx, locked, shiftMs);
  return { event: await publishLockedEvent(tx, { ...locked, event: moved }), rescheduled, shiftMs };
}

async function openNow(tx: Transaction, locked: LockedEvent): Promise<ShowChange> {
  requireRunning(locked);
  const shiftMs = untilNowMs(locked, locked.event.opensAt?.getTime() ?? null);
  const event = await openLockedEvent(tx, locked);
  return { event, rescheduled: await shiftFollowing(tx, locked, shiftMs), shiftMs };
}

async function closeNow(tx: Transaction, locked: LockedEvent): Promise<ShowChange> {
  const shiftMs = untilNowMs(locked, locked.event.closesAt?.getTime() ?? null);
  const event = await closeLockedEvent(tx, locked);
  return { event, rescheduled: await shiftFollowing(tx, locked, shiftMs), shiftMs };
}

async function startNext(tx: Transaction, locked: LockedEvent): Promise<ShowChange> {
  requireRunning(locked);
  const found = await findNext(tx, locked.event, { planned: false });
  if (found === null) throw cannotTransitionVia(eventActions.advance.label, "Nothing comes after it.");
  const next = await lockEvent(tx, { eventId: found.id, actor: locked.actor });
  const visible = next.event.state === "draft" ? await publishLockedEvent(tx, next) : next.event;
  const { event: opened, rescheduled, shiftMs } = await openNow(tx, { ...next, event: visible });
  return { event: locked.event, rescheduled: [opened, ...rescheduled], shiftMs };
}

function requireRunning({ session }: LockedEvent): void {
  if (session?.state === "running") return;
  throw cannotTransitionVia(eventActions.advance.label, "The session is paused.");
}
