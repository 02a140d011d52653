import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import type { PaidPlayer } from "./pay-settlement-part.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

const paidPlayer = v.object({ eventId: wholeNumber, userId: wholeNumber, refundedCents: wholeNumber });

type SmallSettlements = {
  /** By event: the token of the event's lock; null without Redis. */
  fences: ReadonlyMap<number, number | null>;
  /** The class of the advisory lock of an event's only payer. */
  payerLockClass: number;
};

/**
 * Pays the unpaid settlements of several events completely, and updates the scores of their players. It waits for no other change of
 * these events.
 * @returns the players of each event that was paid. The others are left: it would have to wait for them, they are corrections or
 *   have begun, or all together would have more calls than one part.
 */
export async function paySmallSettlements(
  tx: Transaction,
  { fences, payerLockClass }: SmallSettlements,
): Promise<Map<number, PaidPlayer[]>> {
  const rows = await queryRows(
    tx,
    paidPlayer,
    sql`SELECT event_id AS "eventId", user_id AS "userId", refunded_cents AS "refundedCents"
      FROM pay_small_settlements(${payerLockClass}, ${writeIntegerArray([...fences.keys()])}::bigint[],
        ${writeIntegerArray([...fences.values()])}::bigint[])`,
  );
  const paid = new Map<number, PaidPlayer[]>();
  for (const { eventId, ...player } of rows) {
    const players = paid.get(eventId) ?? [];
    players.push({ ...player, correctedCents: 0 });
    paid.set(eventId, players);
  }
  return paid;
}
