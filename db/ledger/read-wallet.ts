import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { playersOf } from "../players-of.ts";
import { queryRows, wholeNumber, queryRow, writeIntegerArray } from "./query.ts";

export const walletRow = v.object({
  accountId: wholeNumber,
  userId: wholeNumber,
  /** Includes the held amount. */
  postedCents: wholeNumber,
  /** The wagers of the active calls. */
  heldCents: wholeNumber,
  heldCalls: wholeNumber,
  availableCents: wholeNumber,
  /** The player's debt: the part of chargebacks and corrections that the wallet could not cover. Later credits repay it first. */
  owedCents: wholeNumber,
  /** Increases with every change: of two reads the higher revision is newer. */
  revision: wholeNumber,
});
export type Wallet = v.InferOutput<typeof walletRow>;

/** In SQL: the columns of a wallet `w` and of its owner's `debt`, without the owner, as numbers. */
export const walletColumns = sql`w.id::float8 AS "accountId",
  w.posted_cents::float8 AS "postedCents", w.held_cents::float8 AS "heldCents", w.held_calls AS "heldCalls",
  (w.posted_cents - w.held_cents)::float8 AS "availableCents", (-debt.posted_cents)::float8 AS "owedCents",
  w.revision::float8 AS revision`;

/** In SQL, for a FROM: the wallet `w` of a user, and their `debt`. @param userId a column. */
export const leftJoinWallet = (userId: SQLWrapper): SQL => sql`
  LEFT JOIN LATERAL (SELECT * FROM accounts w WHERE w.user_id = ${userId} AND w.kind = 'wallet' LIMIT 1) AS w ON TRUE
  LEFT JOIN LATERAL (SELECT * FROM accounts d WHERE d.user_id = w.user_id AND d.kind = 'receivable' LIMIT 1) AS debt ON TRUE`;

/** The wallets of these users, by user id; users without one are left out. */
export function readWallets(db: Queryable, userIds: readonly number[]): Promise<Wallet[]> {
  return queryRows(db, walletRow)`
    SELECT w.user_id AS "userId", ${walletColumns} FROM accounts w JOIN accounts debt ON debt.user_id = w.user_id AND debt.kind = 'receivable'
    WHERE w.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND w.kind = 'wallet'
    ORDER BY w.user_id`;
}

const callTotals = v.object({
  allCalls: wholeNumber,
  /** Placed or closed. */
  activeCalls: wholeNumber,
  resolvedCalls: wholeNumber,
});
export type CallTotals = v.InferOutput<typeof callTotals>;

/** How many calls a player has, those of merged guests included, as the wallets keep it; zeros without a wallet. */
export async function readCallTotals(db: Queryable, userId: number): Promise<CallTotals> {
  return queryRow(db, callTotals)`
    SELECT coalesce(sum(recorded_calls + cancelled_calls), 0) AS "allCalls", coalesce(sum(held_calls), 0) AS "activeCalls",
      coalesce(sum(resolved_calls), 0) AS "resolvedCalls"
    FROM ${playersOf(userId)} AS player JOIN accounts a ON a.user_id = player.id AND a.kind = 'wallet'`;
}
