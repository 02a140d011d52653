import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow } from "./query.ts";

/**
 * Locks the accounts that a grant of play money to this user locks, in the same order, until the transaction ends. A balance
 * that is read after this is still correct when the grant is made.
 */
export async function lockForGrant(tx: Transaction, userId: number): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT lock_for_grant(${userId})`);
}
