import type { Transaction } from "#db/client.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, cannotTransitionVia } from "#src/base/refusal.ts";
import { requireNoStake } from "#src/play/calls/require-no-stake.ts";
import { closeLockedEvent } from "./close-event.ts";
import { eventActions } from "./contract.ts";
import { planNext, writeColumns } from "./move-event.ts";
import { openLockedEvent, publishLockedEvent } from "./open-event.ts";
import { isWaiting, replan } from "./schedule.ts";
import { type EventRow, type LockedEvent, lockEvent, sessionTime } from "./with-event.ts";
import {
  type ActionChange,
  type ActionCommand,
  dueMsOf,
  findNext,
  shiftEvent,
  shiftFollowing,
  untilNowMs,
  withRunningOrder,
} from "./with-running-order.ts";

/**
 * Performs an event's next timed transition now, and shifts all later events by the same amount: a draft is published, a
 * visible event opens, an open event closes, and after a closed event the next event starts. It never decides a result. A draft
 * that the host starts, or that waits for the event before it, opens its lead from now.
 * @returns the event itself, also if the next event started.
 * @throws Refusal 422 for an event in another state, if no event follows a closed one, and for an opening while the session
 *   is paused; 403 for an actor who has a call on it.
 */
export function advanceEvent(deps: Deps, command: ActionCommand): Promise<EventRow> {
  return withRunningOrder(deps, command, "advance", async (tx, locked) => {
    await requireNoStake(tx, locked, "advance it");
    const { state } = locked.event;
    if (state === "draft") return publishNow(tx, locked);
    if (state === "visible") return openNow(tx, locked);
    return state === "open" ? closeNow(tx, locked) : startNext(tx, locked);
  });
}

async function publishNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  const { event } = locked;
  if (isWaiting(event) || (event.startMode === "by_hand" && event.opensAt === null)) {
    return startNow(tx, locked);
  }
  const shiftMs = untilNowMs(locked, dueMsOf(locked));
  const moved = await shiftEvent(tx, locked, shiftMs);
  const rescheduled = await shiftFollowing(tx, locked, shiftMs);
  return { event: await publishLockedEvent(tx, { ...locked, event: moved }), rescheduled, shiftMs };
}

/** Publishes a draft that has no time yet; it opens after its lead, and the events that follow it get their times. */
async function startNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  const opensAt = new Date(Date.parse(sessionTime(locked)) + locked.event.leadSeconds * 1_000);
  const planned = await writeColumns(tx, locked, { opensAt, ...replan(locked, { opensAt }) });
  const event = await publishLockedEvent(tx, { ...locked, event: planned });
  await planNext(tx, locked, event);
  return { event, rescheduled: [], shiftMs: 0 };
}

async function openNow(tx: Transaction, locked: LockedEvent): Promise<ActionChange> {
  requireRunning(locked);
  const shiftMs = untilNowMs(locked, locked.event.opensAt?.getTime() ?? null);
  const rescheduled = await shiftFollowing(tx, locked, shiftMs);
  return { event: await openLockedEvent(tx, locked), rescheduled, shiftMs };
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
  return { event: locked.event, rescheduled: [opened, ...rescheduled, ...next.planned], shiftMs };
}

function requireRunning({ session }: LockedEvent): void {
  if (session?.state === "running") return;
  throw cannotTransitionVia(eventActions.advance.label, "The session is paused.");
}

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
