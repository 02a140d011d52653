import { and, eq, max, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { calls } from "#db/schema/calls.ts";
import type { events } from "#db/schema/events.ts";
import type { sessions } from "#db/schema/sessions.ts";
import { formatChange, formatMoney } from "#src/http/contract.ts";
import { aboutEvent, refundTitle } from "#src/people/notifications/describe-refund.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";

/** An event and its session, as read in the transaction that pays. */
export type SettledEvent = {
  event: typeof events.$inferSelect;
  session: typeof sessions.$inferSelect | null;
};

/**
 * Notifies every refunded player of the amount, the cause and the host's reason: "$5.00 back: the host skipped it", about
 * "Will it rain? The stadium is closed".
 * @param cause in the words of the middle of a sentence.
 */
export async function notifyRefunds(
  tx: Transaction,
  { event, session }: SettledEvent,
  refunds: readonly { userId: number; amountCents: number }[],
  { cause, reason }: { cause: string; reason: string | null },
): Promise<void> {
  const playerOf = await findPlayers(tx, { event, session }, refunds);
  await writeNotifications(
    tx,
    refunds.map(({ userId, amountCents }) => ({
      userId,
      kind: "refund" as const,
      title: refundTitle(amountCents, cause),
      body: aboutEvent(event.title, reason),
      url: playerOf(userId).receipt,
    })),
  );
}

/**
 * Notifies every player whose payout a correction changed, in one sentence: "Result corrected to No: $13.33 taken back, net -$5.00".
 * @param what "Result corrected to No"
 */
export async function notifyCorrections(
  tx: Transaction,
  { event, session }: SettledEvent,
  corrections: readonly { userId: number; changeCents: number }[],
  { what, reason }: { what: string; reason: string | null },
): Promise<void> {
  const playerOf = await findPlayers(tx, { event, session }, corrections);
  await writeNotifications(
    tx,
    corrections.map(({ userId, changeCents }) => {
      const { receipt, netCents } = playerOf(userId);
      const change = `${formatMoney(Math.abs(changeCents))} ${changeCents < 0 ? "taken back" : "more"}`;
      return {
        userId,
        kind: "correction" as const,
        title: `${what}: ${change}, net ${formatChange(netCents)}`,
        body: aboutEvent(event.title, reason),
        url: receipt,
      };
    }),
  );
}

type NotifiedPlayer = {
  /** The URL of the receipt of the newest call on the event; null outside a session, which has no receipts. */
  receipt: string | null;
  /** What the player has won or lost on the event, in this round. */
  netCents: number;
};

async function findPlayers(
  tx: Transaction,
  { event, session }: SettledEvent,
  players: readonly { userId: number }[],
): Promise<(userId: number) => NotifiedPlayer> {
  if (players.length === 0) return () => ({ receipt: null, netCents: 0 });
  const userIds = writeIntegerArray(players.map(({ userId }) => userId));
  const isPaid = sql`${calls.state} = 'resolved' AND ${calls.round} = ${event.round}`;
  const rows = await tx
    .select({
      userId: calls.userId,
      callId: max(calls.id),
      netCents:
        sql`coalesce(sum(${calls.payoutCents} - ${calls.wagerCents}) FILTER (WHERE ${isPaid}), 0)`.mapWith(
          Number,
        ),
    })
    .from(calls)
    .where(and(eq(calls.eventId, event.id), sql`${calls.userId} = ANY (${userIds}::bigint[])`))
    .groupBy(calls.userId);
  const byUser = new Map(rows.map((row) => [row.userId, row]));
  return (userId) => {
    const { callId = null, netCents = 0 } = byUser.get(userId) ?? {};
    const receipt = session === null ? null : `/sessions/${session.slug}/history/${callId ?? ""}`;
    return { receipt, netCents };
  };
}
