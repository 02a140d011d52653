import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { refundActiveCalls } from "#db/ledger/refund-active-calls.ts";
import { calls } from "#db/schema/calls.ts";
import { activeCallStates } from "#src/calls/contract.ts";
import { writeFacts } from "#src/outbox/write-fact.ts";
import { notifyRefunds } from "#src/settlements/notify-players.ts";
import type { LockedEvent } from "./with-event.ts";

/**
 * Destroys every active call of an event, whose gate is held, and refunds the wagers. Each player's wallet is broadcast, and
 * each player gets a notification with the reason.
 */
export async function refundCalls(
  tx: Transaction,
  locked: LockedEvent,
  reason: string | null,
): Promise<void> {
  const { event } = locked;
  const refunds = await tx
    .select({
      userId: calls.userId,
      amountCents: sql<number>`sum(${calls.wagerCents})`.mapWith(Number),
    })
    .from(calls)
    .where(and(eq(calls.eventId, event.id), inArray(calls.state, [...activeCallStates])))
    .groupBy(calls.userId)
    .orderBy(calls.userId);
  if (refunds.length === 0) return;
  await refundActiveCalls(tx, event.id);
  await writeFacts(
    tx,
    refunds.map(({ userId }) => ({ kind: "wallet_changed", userId })),
  );
  await notifyRefunds(tx, locked, refunds, reason);
}
