import type { Transaction } from "#db/client.ts";
import { isCrowd } from "#db/ledger/is-crowd.ts";
import type { Deps } from "#src/base/deps.ts";
import { startPaying } from "#src/settlements/start-paying.ts";
import { closeSpots } from "#src/spots/close-spots.ts";
import { closeLockedEvent } from "./close-event.ts";
import { moveEvent } from "./move-event.ts";
import { notPending } from "./note-result.ts";
import { refundCalls } from "./refund-calls.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { settleResult } from "./settle-result.ts";
import { findNext, shiftFollowing, untilNowMs } from "./shift-schedule.ts";
import { type EventRow, type LockedEvent, showTime } from "./with-event.ts";
import { type ShowOrder, withShow } from "./with-show.ts";

/**
 * Takes an event out of the running order: all its calls are refunded and it is hidden. A crowd's event is void, for that is
 * refunded in parts. What follows moves forward by the time that it would still have taken.
 * @throws Refusal 422 unless it is visible, open or closed; 403 for whoever has a call on it.
 */
export async function skipEvent(deps: Deps, order: ShowOrder): Promise<EventRow> {
  const skipped = await withShow(deps, order, "skip", async (tx, locked) => {
    await requireNoStake(tx, locked, "skip");
    const reason = order.reason || null;
    const shiftMs = await freedMs(tx, locked);
    const refunded = (await isCrowd(tx, locked.event.id))
      ? await voidEvent(tx, locked, reason)
      : await refundEvent(tx, locked, reason);
    const event = await moveEvent(tx, refunded, "hide", {
      ...notPending,
      nextTransition: null,
      dueAt: null,
      reason,
    });
    return { event, rescheduled: await shiftFollowing(tx, locked, shiftMs), shiftMs };
  });
  await startPaying(deps, skipped.id);
  return skipped;
}

async function refundEvent(
  tx: Transaction,
  locked: LockedEvent,
  reason: string | null,
): Promise<LockedEvent> {
  await refundCalls(tx, locked, reason);
  await closeSpots(tx, [locked.event.id], locked.at);
  return locked;
}

async function voidEvent(tx: Transaction, locked: LockedEvent, reason: string | null): Promise<LockedEvent> {
  const event = locked.event.state === "open" ? await closeLockedEvent(tx, locked) : locked.event;
  const voided = await settleResult(tx, { ...locked, event }, { result: "void", effectiveAt: null, reason });
  return { ...locked, event: voided };
}

/** The next event takes the place of one that has not opened; of an open one only the rest is free, of a closed one nothing. */
async function freedMs(tx: Transaction, locked: LockedEvent): Promise<number> {
  const { event } = locked;
  if (event.state === "open") return untilNowMs(locked, event.closesAt?.getTime() ?? null);
  if (event.state !== "visible" || event.opensAt === null) return 0;
  const next = await findNext(tx, event, { planned: true });
  if (next?.opensAt == null) return 0;
  const freeFromMs = Math.max(event.opensAt.getTime(), Date.parse(showTime(locked)));
  return Math.min(0, freeFromMs - next.opensAt.getTime());
}
