import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/**
 * Opens a user's wallet, and the receivable beside it, if they are not there yet.
 * @returns the id of the wallet's account
 */
export async function openWallet(db: Queryable, userId: number): Promise<number> {
  const { accountId } = await queryRow(
    db,
    v.object({ accountId: wholeNumber }),
    sql`SELECT open_wallet(${userId}) AS "accountId"`,
  );
  return accountId;
}
