import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { outcomes, refundCauses } from "../lists/calls.ts";
import { transactionKinds } from "../lists/wallet.ts";
import { wholeNumber } from "./query.ts";

export const walletTransaction = v.object({
  /** Unique within the wallet: call-12 (a hold), release-12, payout-12, entry-34. */
  id: v.string(),
  /** A journal of a kind that only a newer release knows is an adjustment. */
  kind: v.fallback(v.picklist(transactionKinds), "adjustment"),
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
  refundedBy: v.fallback(v.nullable(v.picklist(refundCauses)), null),
  /** True for the part of a journal that repays the player's debt or adds to it. */
  owed: v.boolean(),
  /** The reason of the grant, adjustment or correction. */
  reason: v.nullable(v.string()),
  createdAt: v.date(),
});
export type WalletTransaction = v.InferOutput<typeof walletTransaction>;

/** Which moves of a wallet to read, as SQL for each of the three kinds of rows that they are read from. */
type MovesRange = {
  /** A condition on the time and number of a row, after the step of its moves (0, 1 or 2). Example: those after a cursor. */
  where?: (at: SQL, n: SQL, step: number) => SQL;
  /** The direction to read in, and the most rows of each kind. All rows if left out. */
  first?: { order: "ASC" | "DESC"; limit: number | SQL };
};

/**
 * Moves of a user's wallet, unordered. `userId` is an id, or a column of the statement around it.
 *
 * Holds are rows of calls, not entries. So there are four kinds of moves: a call's hold (-wager), its release if it was
 * destroyed (+wager; a refund unless the player cancelled it), its payout by the first settlement (the whole payout, 0 if lost; a refund if the wager was returned),
 * and every other entry of the wallet (`listed`). A hold and a release change the available amount but not the balance. A payout
 * changes the balance by payout minus wager and releases the hold. `accounts.moves_count` is the number of moves.
 *
 * `posted` and `held` are the changes of the account's amounts. Order the moves by `at`, then by `step` and `n`. Each kind is
 * read in this order from an index of its own: so the newest moves are among the newest of each kind, and reading them takes
 * as long in a long history as in a short one.
 */
export function walletMoves(userId: number | SQL, range: MovesRange = {}): SQL {
  const wallet = sql`(SELECT id FROM accounts WHERE user_id = ${userId} AND kind = 'wallet')`;
  // Only the moves that are left after the last limit are looked up in other tables.
  return sql`
    SELECT k.at, k.step, k.n, k.call_id, k.event_id, k.refunded_by, coalesce(l.journal_id, k.journal_id) AS journal_id, l.outcome,
      coalesce(o.owed, false) AS owed,
      CASE k.step WHEN 0 THEN 'call-' WHEN 2 THEN 'entry-' ELSE CASE k.state WHEN 'resolved' THEN 'payout-' ELSE 'release-' END
        END || k.id AS id,
      CASE k.step WHEN 0 THEN 'hold' WHEN 1 THEN CASE
          WHEN l.outcome = 'refunded' OR k.refunded_by IS NOT NULL THEN 'refund'
          WHEN k.state = 'resolved' THEN 'settle'
          ELSE 'release'
        END
        ELSE CASE
          WHEN o.owed OR o.kind IN ('settle', 'resettle') THEN 'correction'
          WHEN o.kind = 'chargeback' THEN 'refund'
          WHEN o.kind IN ('adjust', 'withdrawal', 'merge') THEN 'adjustment'
          ELSE o.kind
        END END AS kind,
      CASE k.step WHEN 2 THEN k.cents ELSE coalesce(l.payout_cents - k.cents, 0) END AS posted,
      CASE k.step WHEN 0 THEN k.cents WHEN 1 THEN -k.cents ELSE 0 END AS held
    FROM (
      SELECT * FROM (
        SELECT placed_at AS at, 0 AS step, id AS n, id, id AS call_id, NULL::bigint AS journal_id, wager_cents AS cents,
          event_id, round, user_id, state, refunded_by
        FROM (SELECT * FROM calls WHERE user_id = ${userId} ${rangeOf(range, sql`placed_at`, sql`id`, 0)}) c
        UNION ALL
        SELECT ended_at, 1, id, id, id, NULL, wager_cents, event_id, round, user_id, state, refunded_by
        FROM (
          SELECT * FROM calls WHERE user_id = ${userId} AND ended_at IS NOT NULL
            ${rangeOf(range, sql`ended_at`, sql`id`, 1)}
        ) c
        UNION ALL
        SELECT created_at, 2, account_version, id, call_id, journal_id, amount_cents, NULL, NULL, ${userId}, NULL, NULL
        FROM (
          SELECT * FROM entries WHERE account_id = ${wallet} AND listed
            ${rangeOf(range, sql`created_at`, sql`account_version`, 2)}
        ) e
      ) u ${range.first === undefined ? sql`` : firstOf(range.first, ["at", "step", "n"])}
    ) k LEFT JOIN LATERAL (
      SELECT l.payout_cents, l.outcome, s.journal_id
      FROM (SELECT k.user_id WHERE k.step = 1 AND k.state = 'resolved') c
        JOIN settlements s ON s.event_id = k.event_id AND s.round = k.round AND ${hasPaid}
        JOIN settlement_lines l ON l.settlement_id = s.id AND l.call_id = k.call_id
      ORDER BY s.version LIMIT 1
    ) l ON TRUE LEFT JOIN LATERAL (
      SELECT j.kind, k.call_id IS NULL AND EXISTS (
        SELECT 1 FROM entries r WHERE r.journal_id = j.id AND r.amount_cents = -k.cents
          AND r.account_id = (SELECT id FROM accounts WHERE user_id = ${userId} AND kind = 'receivable')
      ) AS owed
      FROM journal j WHERE j.id = k.journal_id OFFSET 0
    ) o ON k.step = 2`;
}

function rangeOf({ where, first }: MovesRange, at: SQL, n: SQL, step: number): SQL {
  const condition = where === undefined ? sql`` : sql`AND ${where(at, n, step)}`;
  return first === undefined ? condition : sql`${condition} ${firstOf(first, [at, n])}`;
}

function firstOf(
  { order, limit }: NonNullable<MovesRange["first"]>,
  columns: readonly (SQL | string)[],
): SQL {
  const directed = columns.map(
    (column) => sql`${typeof column === "string" ? sql.raw(column) : column} ${sql.raw(order)}`,
  );
  return sql`ORDER BY ${sql.join(directed, sql`, `)} LIMIT ${limit}`;
}

/** Settlement `s` has paid the player of call `c`. One that is paid in parts can be superseded before it has. */
export const hasPaid = sql`(s.paid_at IS NOT NULL OR c.user_id >= s.paid_from_user_id)`;

/** The columns of walletTransaction, from moves `m` with their running totals `balance` and `held_after`. */
export const transactionColumns = sql`m.id, m.kind, (m.posted - m.held)::float8 AS "amountCents",
  m.balance::float8 AS "balanceAfterCents", m.held_after::float8 AS "heldAfterCents",
  (m.balance - m.held_after)::float8 AS "availableAfterCents", m.call_id::float8 AS "callId", e.id::float8 AS "eventId",
  e.session_id::float8 AS "sessionId", p.id::float8 AS "paymentId", coalesce(q.title, e.title) AS "eventTitle",
  m.outcome, coalesce(m.refunded_by, c.refunded_by) AS "refundedBy", m.owed, j.reason, m.at AS "createdAt"`;

/**
 * The joins that those columns need, beside `m`. Most moves are holds and payouts, which have their event already and are no
 * payments. OFFSET 0 makes Postgres look the rest up move by move, instead of reading a whole table for a batch of moves.
 */
export const transactionJoins = sql`
  LEFT JOIN LATERAL (SELECT id, event_id, reason FROM journal WHERE id = m.journal_id OFFSET 0) j ON TRUE
  LEFT JOIN LATERAL (SELECT event_id, refunded_by FROM calls WHERE m.step = 2 AND id = m.call_id OFFSET 0) c ON TRUE
  LEFT JOIN events e ON e.id = coalesce(m.event_id, c.event_id, j.event_id)
  LEFT JOIN LATERAL (
    SELECT title FROM earlier_texts WHERE event_id = e.id
      AND last_call_id >= coalesce(m.call_id, (SELECT max(call_id) FROM entries WHERE journal_id = j.id))
    ORDER BY last_call_id LIMIT 1
  ) q ON TRUE
  LEFT JOIN LATERAL (
    SELECT id FROM payments WHERE m.step = 2 AND journal_id = j.id
    UNION ALL
    SELECT payment_id FROM chargebacks WHERE m.step = 2 AND (journal_id = j.id OR return_journal_id = j.id)
  ) p ON TRUE`;
