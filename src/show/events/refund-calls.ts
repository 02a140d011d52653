import { and, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { refundActiveCalls } from "#db/ledger/cancel-call.ts";
import { calls } from "#db/schema/calls.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { activeCallStates } from "#src/play/calls/contract.ts";
import { notifyRefunds } from "#src/play/settlements/notify-players.ts";
import type { LockedEvent } from "./with-event.ts";

/**
 * Destroys every active call of an event, whose gate is held, and refunds the wagers. Each player gets the
 * calls and the wallet as they are then, and a notification with the cause and the reason.
 */
export async function refundCalls(
  tx: Transaction,
  locked: LockedEvent,
  { cause, reason }: { cause: "skip" | "reset"; reason: string | null },
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
  const refunded = await refundActiveCalls(tx, { eventId: event.id, cause });
  await writeFacts(
    tx,
    refunded.map(({ callId }) => ({ kind: "call_cancelled", callId })),
  );
  await notifyRefunds(tx, locked, refunds, { cause: causes[cause], reason });
}

const causes = { skip: "the host skipped it", reset: "the host reset it" } as const;
