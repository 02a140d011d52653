import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { isLargeSettlement } from "#db/ledger/large-settlement.ts";
import type { Deps } from "#src/base/deps.ts";
import { sumOwnCalls } from "#src/play/calls/require-no-stake.ts";
import { startPaying } from "#src/play/settlements/pay-settlement.ts";
import { moveSpots } from "#src/play/spots/move-spots.ts";
import { closeLockedEvent } from "./close-event.ts";
import { moveEvent } from "./move-event.ts";
import { refundCalls } from "./reset-event.ts";
import { noDecision, settleResult } from "./resolve-event.ts";
import { type EventRow, type LockedEvent, sessionTime } from "./with-event.ts";
import {
  type ActionCommand,
  findNext,
  shiftFollowing,
  untilNowMs,
  withRunningOrder,
} from "./with-running-order.ts";

/**
 * Skips an event of the running order: refunds all its calls and hides it. An event with too many calls to refund at once is
 * voided instead, which refunds in parts. Later events move forward by the time that becomes free. The actor's own calls are refunded
 * with the others.
 */
export async function skipEvent(deps: Deps, command: ActionCommand): Promise<EventRow> {
  const skipped = await withRunningOrder(deps, command, "skip", async (tx, locked) => {
    const reason = command.reason || null;
    const takenBackCents = await sumOwnCalls(tx, locked);
    const shiftMs = await freedMs(tx, locked);
    // First: an event that waits for this one counts from now.
    const rescheduled = await shiftFollowing(tx, locked, shiftMs);
    const refunded = (await isLargeSettlement(tx, locked.event.id))
      ? await voidEvent(tx, locked, reason)
      : await refundEvent(tx, locked, reason);
    const event = await moveEvent(tx, refunded, "hide", {
      ...noDecision,
      nextTransition: null,
      dueAt: null,
      reason,
    });
    return { event, rescheduled, shiftMs, takenBackCents };
  });
  startPaying(deps, skipped);
  return skipped;
}

async function refundEvent(
  tx: Transaction,
  locked: LockedEvent,
  reason: string | null,
): Promise<LockedEvent> {
  await refundCalls(tx, locked, { cause: "skip", reason });
  const closedAt = sql`${locked.at}::timestamptz`;
  if (locked.event.state === "open") await moveSpots(tx, [locked.event.id], "close", { closedAt });
  return locked;
}

async function voidEvent(tx: Transaction, locked: LockedEvent, reason: string | null): Promise<LockedEvent> {
  const event = locked.event.state === "open" ? await closeLockedEvent(tx, locked) : locked.event;
  const voided = await settleResult(tx, { ...locked, event }, { result: "void", effectiveAt: null, reason });
  return { ...locked, event: voided };
}

/**
 * The shift of the later events, in milliseconds, below 0. An event that has not opened frees the time up to the next event's
 * opening, an open one the time up to its close, a closed one none. It frees none if the next one waits.
 */
async function freedMs(tx: Transaction, locked: LockedEvent): Promise<number> {
  const { event } = locked;
  if (event.state === "open") return untilNowMs(locked, event.closesAt?.getTime() ?? null);
  if (event.state !== "visible" || event.opensAt === null) return 0;
  const next = await findNext(tx, event, { planned: true });
  if (next?.opensAt == null) return 0;
  const freeFromMs = Math.max(event.opensAt.getTime(), Date.parse(sessionTime(locked)));
  return Math.min(0, freeFromMs - next.opensAt.getTime());
}
