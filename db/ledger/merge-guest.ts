import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { wholeNumber, queryValue } from "./query.ts";

/**
 * Makes a guest a part of an account: what it has won moves to the account's wallet, and its results and scores are the account's
 * (db/sql/functions/merge-guest.sql).
 * @throws LedgerRefusal wrong_state for a guest or an account that is none, and for a guest with open calls
 */
export async function mergeGuest(
  db: Queryable,
  { guestId, accountId, actorId }: { guestId: number; accountId: number; actorId: number },
): Promise<void> {
  await db.execute(sql`SELECT merge_guest(${guestId}, ${accountId}, ${actorId})`);
}

/**
 * Moves what a correction has changed since the merge (db/sql/functions/merge-winnings.sql).
 * @returns the id of the journal; null if nothing has changed.
 */
export function mergeWinnings(db: Queryable, guestId: number): Promise<number | null> {
  return queryValue(db, v.nullable(wholeNumber))`SELECT merge_winnings(${guestId}, NULL)`;
}
