import { and, asc, eq, max, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { listSettlements } from "#db/ledger/list-settlements.ts";
import type { PaidPart, PaidPlayer } from "#db/ledger/pay-settlement-part.ts";
import { anyOf, writeIntegerArray } from "#db/ledger/query.ts";
import type { RefundReason } from "#db/lists/calls.ts";
import type { EventResult } from "#db/lists/events.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { labelsOf } from "#src/base/contract.ts";
import { writeFacts } from "#src/base/outbox/write-fact.ts";
import { formatChange, formatMoney, say } from "#src/http/contract.ts";
import { aboutEvent, refundTitle } from "#src/people/notifications/describe-refund.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { refundReasonOf } from "#src/play/calls/present-settlement.ts";
import { type PlayerRange, updateScores } from "#src/play/leaderboard/repair-scores.ts";

/**
 * Follows up the payment of a part, in the same transaction: updates the players' results and scores, and notifies the players
 * who were refunded or whose payout was corrected. The last part also announces that the event is paid.
 */
export async function concludePart(
  tx: Transaction,
  eventId: number,
  { players, isLast }: PaidPart,
): Promise<void> {
  await updateScores(tx, eventId, rangeOf(players));
  const corrections = correctionsOf(players);
  const isTold = corrections.length > 0 || refundsOf(players).length > 0;
  for (const about of isTold ? await readEvents(tx, [eventId]) : []) {
    await notifyRefunded(tx, about, players);
    const what = say`Result corrected to ${resultLabel(about.event)}`;
    await notifyCorrections(tx, about, corrections, { what, reason: about.event.resultReason });
  }
  if (isLast) await announcePaid(tx, [eventId]);
}

/** Notifies those of these players who were refunded. */
export async function notifyRefunded(
  tx: Transaction,
  about: SettledEvent,
  players: readonly PaidPlayer[],
): Promise<void> {
  const refunds = refundsOf(players);
  if (refunds.length === 0) return;
  const { id, resultReason: reason } = about.event;
  await notifyRefunds(tx, about, refunds, { cause: await findCause(tx, id), reason });
}

export function announcePaid(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  return writeFacts(
    tx,
    eventIds.map((eventId) => ({ kind: "event_changed", eventId, change: "pay" })),
  );
}

const tooLate = "it came after the moment that decided it";
const causeOf = labelsOf<RefundReason>({
  void: "the question was called off",
  no_winner: "nobody called the result",
  no_loser: "you were right, and nobody took the other side",
  effective_at: tooLate,
});

/** Why the settlement in force refunds calls. Where it pays winners, it refunds those that came too late. */
async function findCause(tx: Transaction, eventId: number): Promise<string> {
  const settlement = (await listSettlements(tx, eventId)).at(-1);
  const reason = settlement === undefined ? null : refundReasonOf(settlement);
  return reason === null ? tooLate : causeOf(reason);
}

/** The players whose calls were refunded instead of settled, with the amount. */
export function refundsOf(players: readonly PaidPlayer[]): { userId: number; amountCents: number }[] {
  return players
    .filter(({ refundedCents }) => refundedCents !== 0)
    .map(({ userId, refundedCents: amountCents }) => ({ userId, amountCents }));
}

/** The players whose payout a correction changed, with the change. */
export function correctionsOf(players: readonly PaidPlayer[]): { userId: number; changeCents: number }[] {
  return players
    .filter(({ correctedCents }) => correctedCents !== 0)
    .map(({ userId, correctedCents: changeCents }) => ({ userId, changeCents }));
}

function rangeOf(players: readonly PaidPlayer[]): PlayerRange {
  return { from: players[0]?.userId ?? 0, to: players.at(-1)?.userId ?? 0 };
}

function resultLabel({ result, trueLabel, falseLabel }: SettledEvent["event"]): string {
  return labelsOf<EventResult>({ true: trueLabel, false: falseLabel, void: "void" })(result ?? "void");
}

/** An event and its session, as read in the transaction that pays. */
export type SettledEvent = {
  event: typeof events.$inferSelect;
  session: typeof sessions.$inferSelect | null;
};

/** Reads events behind their gates, which a change of them would need too, by id. */
export function readEvents(tx: Transaction, eventIds: readonly number[]): Promise<SettledEvent[]> {
  return tx
    .select({ event: events, session: sessions })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(events.id, eventIds))
    .orderBy(asc(events.id));
}

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
