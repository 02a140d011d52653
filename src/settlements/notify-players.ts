import { and, eq, max, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { calls } from "#db/schema/calls.ts";
import type { events } from "#db/schema/events.ts";
import type { sessions } from "#db/schema/sessions.ts";
import { changeOf, currencyOf } from "#src/http/money.ts";
import { writeNotifications } from "#src/notifications/write-notifications.ts";

/** An event and its session, as read in the transaction that pays. */
export type SettledEvent = {
  event: typeof events.$inferSelect;
  session: typeof sessions.$inferSelect | null;
};

/** Notifies every refunded player of the amount and the reason. */
export async function notifyRefunds(
  tx: Transaction,
  { event, session }: SettledEvent,
  refunds: readonly { userId: number; amountCents: number }[],
  reason: string | null,
): Promise<void> {
  const receiptOf = await findReceipts(tx, { event, session }, refunds);
  await writeNotifications(
    tx,
    refunds.map(({ userId, amountCents }) => ({
      userId,
      kind: "refund" as const,
      title: `Refunded: ${event.title}`,
      body: sentences(`${currencyOf(amountCents)} is back in your wallet.`, reason),
      url: receiptOf(userId),
    })),
  );
}

/**
 * Notifies every player whose payout a correction changed, of the change and the reason.
 * @param text `now` states the new result: "Now False."
 */
export async function notifyCorrections(
  tx: Transaction,
  { event, session }: SettledEvent,
  corrections: readonly { userId: number; changeCents: number }[],
  { now, reason }: { now: string; reason: string | null },
): Promise<void> {
  const receiptOf = await findReceipts(tx, { event, session }, corrections);
  await writeNotifications(
    tx,
    corrections.map(({ userId, changeCents }) => ({
      userId,
      kind: "correction" as const,
      title: `Result corrected: ${event.title}`,
      body: sentences(now, `${changeOf(changeCents)}.`, reason),
      url: receiptOf(userId),
    })),
  );
}

const sentences = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(" ");

/** The URL of each player's receipt: that of the newest call on the event. Null outside a session, which has no receipts. */
async function findReceipts(
  tx: Transaction,
  { event, session }: SettledEvent,
  players: readonly { userId: number }[],
): Promise<(userId: number) => string | null> {
  if (session === null || players.length === 0) return () => null;
  const userIds = writeIntegerArray(players.map(({ userId }) => userId));
  const newest = await tx
    .select({ userId: calls.userId, callId: max(calls.id) })
    .from(calls)
    .where(and(eq(calls.eventId, event.id), sql`${calls.userId} = ANY (${userIds}::bigint[])`))
    .groupBy(calls.userId);
  const byUser = new Map(newest.map(({ userId, callId }) => [userId, callId]));
  return (userId) => `/sessions/${session.slug}/history/${byUser.get(userId) ?? ""}`;
}
