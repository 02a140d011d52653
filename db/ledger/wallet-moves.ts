import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { outcomes, refundCauses } from "../lists/calls.ts";
import { transactionKinds } from "../lists/wallet.ts";
import { wholeNumber } from "./query.ts";

export const walletTransaction = v.object({
  /** Unique within the wallet: call-12 (a hold), release-12, payout-12, entry-34. */
  id: v.string(),
  kind: v.picklist(transactionKinds),
  /** The change of the available balance: the running total of all amounts is availableAfterCents. */
  amountCents: wholeNumber,
  balanceAfterCents: wholeNumber,
  heldAfterCents: wholeNumber,
  availableAfterCents: wholeNumber,
  callId: v.nullable(wholeNumber),
  eventId: v.nullable(wholeNumber),
  sessionId: v.nullable(wholeNumber),
  paymentId: v.nullable(wholeNumber),
  eventTitle: v.nullable(v.string()),
  /** Only on a payout: the outcome of the call by its first settlement. */
  outcome: v.nullable(v.picklist(outcomes)),
  /** Why the call was refunded without a result; null if it was not. */
  refundedBy: v.nullable(v.picklist(refundCauses)),
  /** True for the part of a journal that repays the player's debt or adds to it. */
  owed: v.boolean(),
  /** The reason of the grant, adjustment or correction. */
  reason: v.nullable(v.string()),
  createdAt: v.date(),
});
export type WalletTransaction = v.InferOutput<typeof walletTransaction>;

/**
 * All moves of a user's wallet, unordered.
 *
 * Holds are rows of calls, not entries. So there are four kinds of moves: a call's hold (-wager), its release if it was
 * destroyed (+wager; a refund unless the player cancelled it), its payout by the first settlement (the whole payout, 0 if lost; a refund if the wager was returned),
 * and every other entry of the wallet. A hold and a release change the available amount but not the balance. A payout changes
 * the balance by payout minus wager and releases the hold.
 *
 * `posted` and `held` are the changes of the account's amounts. Order the moves by `at`, then by `step` and `n`.
 */
export function walletMoves(userId: number): SQL {
  return sql`
    SELECT 'call-' || id AS id, 'hold' AS kind, placed_at AS at, 0 AS step, id AS n, 0::bigint AS posted,
      wager_cents AS held, id AS call_id, NULL::bigint AS journal_id, NULL AS outcome, false AS owed
    FROM calls WHERE user_id = ${userId}
    UNION ALL
    SELECT 'release-' || id, CASE WHEN refunded_by IS NULL THEN 'release' ELSE 'refund' END, updated_at, 1, id, 0, -wager_cents, id, NULL, NULL, false
    FROM calls WHERE user_id = ${userId} AND state = 'soft_destroyed'
    UNION ALL
    SELECT 'payout-' || c.id, CASE l.outcome WHEN 'refunded' THEN 'refund' ELSE 'settle' END, s.created_at, 1, c.id,
      l.payout_cents - c.wager_cents, -c.wager_cents, c.id, s.journal_id, l.outcome, false
    FROM calls c JOIN LATERAL (
        SELECT s.* FROM settlements s WHERE s.event_id = c.event_id AND s.round = c.round AND ${hasPaid}
        ORDER BY s.version LIMIT 1
      ) s ON true
      JOIN settlement_lines l ON l.settlement_id = s.id AND l.call_id = c.id
    WHERE c.user_id = ${userId} AND c.state = 'resolved'
    UNION ALL
    SELECT 'entry-' || t.id, CASE
        WHEN t.owed OR t.kind IN ('settle', 'resettle') THEN 'correction'
        WHEN t.kind = 'chargeback' THEN 'refund'
        WHEN t.kind IN ('adjust', 'withdrawal') THEN 'adjustment'
        ELSE t.kind
      END, t.created_at, 2, t.account_version, t.amount_cents, 0, t.call_id, t.journal_id, NULL, t.owed
    FROM (
      SELECT e.*, j.kind, e.call_id IS NULL AND EXISTS (
        SELECT 1 FROM entries r JOIN accounts a ON a.id = r.account_id
        WHERE r.journal_id = e.journal_id AND a.kind = 'receivable' AND a.user_id = ${userId}
          AND r.amount_cents = -e.amount_cents
      ) AS owed
      FROM accounts w JOIN entries e ON e.account_id = w.id JOIN journal j ON j.id = e.journal_id
      WHERE w.user_id = ${userId} AND w.kind = 'wallet' AND NOT (j.kind = 'settle' AND e.call_id IS NOT NULL)
    ) t`;
}

/** Settlement `s` has paid the player of call `c`. One that is paid in parts can be superseded before it has. */
export const hasPaid = sql`(s.paid_at IS NOT NULL OR c.user_id >= s.paid_from_user_id)`;

/** The columns of walletTransaction, from moves `m` with their running totals `balance` and `held_after`. */
export const transactionColumns = sql`m.id, m.kind, m.posted - m.held AS "amountCents",
  m.balance AS "balanceAfterCents", m.held_after AS "heldAfterCents", m.balance - m.held_after AS "availableAfterCents",
  m.call_id AS "callId", e.id AS "eventId", e.session_id AS "sessionId", p.id AS "paymentId", e.title AS "eventTitle",
  m.outcome, c.refunded_by AS "refundedBy", m.owed, j.reason, m.at AS "createdAt"`;

/** The joins that those columns need, beside `m`. */
export const transactionJoins = sql`LEFT JOIN journal j ON j.id = m.journal_id LEFT JOIN calls c ON c.id = m.call_id
  LEFT JOIN events e ON e.id = coalesce(c.event_id, j.event_id)
  LEFT JOIN chargebacks b ON b.journal_id = j.id OR b.return_journal_id = j.id
  LEFT JOIN payments p ON p.journal_id = j.id OR p.id = b.payment_id`;
