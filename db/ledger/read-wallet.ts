import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

/** A wallet, as read from the database. */
export const walletRow = v.object({
  accountId: wholeNumber,
  userId: wholeNumber,
  /** Includes the held amount. */
  postedCents: wholeNumber,
  /** The wagers of the active calls. */
  heldCents: wholeNumber,
  /** The number of active calls. */
  heldCalls: wholeNumber,
  availableCents: wholeNumber,
  /** The player's debt: the part of chargebacks and corrections that the wallet could not cover. Later credits repay it first. */
  owedCents: wholeNumber,
  /** Increases with every change: of two reads the higher revision is newer. */
  revision: wholeNumber,
});
export type Wallet = v.InferOutput<typeof walletRow>;

/** The wallets of these users, by user id; users without one are left out. */
export function readWallets(db: Queryable, userIds: readonly number[]): Promise<Wallet[]> {
  return queryRows(
    db,
    walletRow,
    sql`SELECT w.id AS "accountId", w.user_id AS "userId", w.posted_cents AS "postedCents", w.held_cents AS "heldCents",
        w.held_calls AS "heldCalls", w.posted_cents - w.held_cents AS "availableCents", -r.posted_cents AS "owedCents", w.revision
      FROM accounts w JOIN accounts r ON r.user_id = w.user_id AND r.kind = 'receivable'
      WHERE w.user_id = ANY (${writeIntegerArray(userIds)}::bigint[]) AND w.kind = 'wallet'
      ORDER BY w.user_id`,
  );
}
