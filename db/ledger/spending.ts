import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { type LimitDays, limitDays, statementSums } from "../lists/spending.ts";
import { queryRow, queryRows, queryValue, wholeNumber } from "./query.ts";

const days = v.pipe(wholeNumber, v.picklist(limitDays));

const roomRow = v.object({
  /** False for the site's limit. */
  own: v.boolean(),
  days,
  limitCents: wholeNumber,
  /** Deposits net of refunds, and open checkouts. */
  usedCents: wholeNumber,
  /** What of that is in open checkouts: it counts until they are paid or have ended. */
  openCents: wholeNumber,
  leftCents: wholeNumber,
  /** From when more is possible; null where no deposit counts. */
  freeAt: v.nullable(v.date()),
});
export type DepositRoom = v.InferOutput<typeof roomRow>;

/** What a player may still pay in, by each limit (db/sql/functions/deposit-room.sql). @param siteCents the site's limit; null: none. */
export function readDepositRoom(
  db: Queryable,
  { userId, siteCents }: { userId: number; siteCents: number | null },
): Promise<DepositRoom[]> {
  return queryRows(db, roomRow)`
    SELECT own, days, limit_cents AS "limitCents", used_cents AS "usedCents", open_cents AS "openCents", left_cents AS "leftCents",
      free_at AS "freeAt"
    FROM deposit_room(${userId}, ${siteCents})`;
}

/** Sets a player's own limit, or asks for a higher one (db/sql/functions/set-deposit-limit.sql). @param amountCents null: none. */
export async function setDepositLimit(
  db: Queryable,
  { userId, days: period, amountCents }: { userId: number; days: LimitDays; amountCents: number | null },
): Promise<void> {
  await queryRow(db, v.unknown())`SELECT set_deposit_limit(${userId}, ${period}, ${amountCents})`;
}

const unusedRow = v.object({ reference: v.string(), unusedCents: wholeNumber, until: v.date() });

/** What a player has paid in within 14 days and not used, payment by payment (db/sql/functions/unused-deposits.sql). */
export function listUnusedDeposits(
  db: Queryable,
  userId: number,
): Promise<v.InferOutput<typeof unusedRow>[]> {
  return queryRows(db, unusedRow)`
    SELECT reference, unused_cents AS "unusedCents", until FROM unused_deposits(${userId})
    WHERE unused_cents > 0 ORDER BY payment_id`;
}

/**
 * Takes what of a payment is unused from the wallet, to be refunded by the provider. The same key is the same refund.
 * @returns the id of the chargeback.
 * @throws LedgerRefusal not_found for another player's payment, wrong_state for a closed account and where nothing is unused.
 */
export function takeUnused(
  db: Queryable,
  { userId, reference, key }: { userId: number; reference: string; key: string },
): Promise<number> {
  return queryValue(db, wholeNumber)`SELECT take_unused(${userId}, ${reference}, ${key})`;
}

const statementRow = v.object(v.entriesFromList(statementSums, wholeNumber));

/**
 * The sums of a wallet's entries from one moment to before another. Each entry is in one of them, so opening balance and sums make the
 * closing balance. What calls hold is in the balance.
 */
export function readStatement(
  db: Queryable,
  { userId, from, to }: { userId: number; from: Date; to: Date },
): Promise<v.InferOutput<typeof statementRow>> {
  return queryRow(db, statementRow)`WITH moves AS (
      SELECT e.amount_cents AS cents, e.created_at AS at, CASE
        WHEN e.call_id IS NOT NULL THEN 'call'
        WHEN j.kind IN ('deposit', 'grant') AND e.amount_cents > 0 THEN j.kind
        WHEN e.amount_cents < 0 AND EXISTS (SELECT 1 FROM chargebacks c WHERE c.journal_id = j.id)
          OR e.amount_cents > 0 AND EXISTS (SELECT 1 FROM chargebacks c WHERE c.return_journal_id = j.id) THEN 'back'
        ELSE 'other' END AS kind
      FROM accounts w JOIN entries e ON e.account_id = w.id AND e.created_at < ${to}
        JOIN LATERAL (SELECT id, kind FROM journal WHERE id = e.journal_id OFFSET 0) j ON TRUE
      WHERE w.user_id = ${userId} AND w.kind = 'wallet'
    )
    SELECT coalesce(sum(cents) FILTER (WHERE at < ${from}), 0) AS "openingCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'deposit'), 0) AS "depositedCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'back'), 0) AS "takenBackCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'grant'), 0) AS "playMoneyCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'call' AND cents > 0), 0) AS "wonCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'call' AND cents < 0), 0) AS "lostCents",
      coalesce(sum(cents) FILTER (WHERE at >= ${from} AND kind = 'other'), 0) AS "otherCents",
      coalesce(sum(cents), 0) AS "closingCents"
    FROM moves`;
}
