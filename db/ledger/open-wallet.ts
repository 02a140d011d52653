import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/**
 * Creates a user's two accounts, wallet and receivable, if they are missing.
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
