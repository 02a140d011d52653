import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

/**
 * Locks every wallet that settling or refunding these events can touch. A verb that does so for more than one event in
 * one transaction calls this first, after their gates: two such verbs could otherwise wait for each other.
 */
export async function lockWallets(tx: Transaction, eventIds: readonly number[]): Promise<void> {
  await queryRow(tx, v.unknown(), sql`SELECT lock_wallets(${writeIntegerArray(eventIds)}::bigint[])`);
}
