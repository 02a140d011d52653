import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow, queryRows, wholeNumber, writeIntegerArray } from "./query.ts";

/** A player whose calls on an event were all paid. */
export type PaidPlayer = {
  userId: number;
  /** The refunds of calls that are settled for the first time. */
  refundedCents: number;
  /** For calls that an earlier settlement paid: the difference to now. Negative if they are paid less. */
  correctedCents: number;
};

/** One row for all players, because parsing a row for each would take a tenth of the time of a part. */
const paidPart = v.object({
  players: v.nullable(v.array(v.tuple([v.number(), v.number(), v.number()]))),
  callsCount: v.nullable(wholeNumber),
  isLast: v.nullable(v.boolean()),
});

/** The players of one part, ordered by id. */
export type PaidPart = {
  players: PaidPlayer[];
  callsCount: number;
  /** Nobody is left to be paid. */
  isLast: boolean;
};

const paidPlayer = v.object({ eventId: wholeNumber, userId: wholeNumber, refundedCents: wholeNumber });

/**
 * Pays the next players of an event's unpaid settlement, highest ids first: as many players as have `callsMax` calls together
 * (default: the ledger's settle_part_max), at least one. Only their wallets are locked, until the transaction ends.
 * @returns the part; null if nothing is left to pay.
 */
export async function paySettlementPart(
  tx: Transaction,
  eventId: number,
  { callsMax = null }: { callsMax?: number | null } = {},
): Promise<PaidPart | null> {
  const { players, callsCount, isLast } = await queryRow(tx, paidPart)`
    SELECT json_agg(json_build_array(user_id, refunded_cents, corrected_cents) ORDER BY user_id) AS players,
      max(calls_count) AS "callsCount", bool_or(is_last) AS "isLast"
    FROM pay_settlement_part(${eventId}, coalesce(${callsMax}::bigint, settle_part_max()))`;
  if (players === null || callsCount === null || isLast === null) return null;
  return {
    players: players.map(([userId, refundedCents, correctedCents]) => ({
      userId,
      refundedCents,
      correctedCents,
    })),
    callsCount,
    isLast,
  };
}

/**
 * Pays an event's unpaid settlement in this transaction, all players at once. For a reset, which needs everybody paid before
 * it starts a new round.
 * @returns the players, ordered by id.
 */
export async function payWholeSettlement(tx: Transaction, eventId: number): Promise<PaidPlayer[]> {
  const paid: PaidPlayer[] = [];
  // There are two parts if an earlier settlement had not paid all players.
  for (;;) {
    const part = await paySettlementPart(tx, eventId, { callsMax: Number.MAX_SAFE_INTEGER });
    if (part === null) return paid;
    // The next part has players with lower ids.
    paid.unshift(...part.players);
    if (part.isLast) return paid;
  }
}

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
  const rows = await queryRows(tx, paidPlayer)`
    SELECT event_id AS "eventId", user_id AS "userId", refunded_cents AS "refundedCents"
    FROM pay_small_settlements(${payerLockClass}, ${writeIntegerArray([...fences.keys()])}::bigint[],
      ${writeIntegerArray([...fences.values()])}::bigint[])`;
  const paid = new Map<number, PaidPlayer[]>();
  for (const { eventId, ...player } of rows) {
    const players = paid.get(eventId) ?? [];
    players.push({ ...player, correctedCents: 0 });
    paid.set(eventId, players);
  }
  return paid;
}
