import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/**
 * Takes back the grants of an unused wallet, with reversing entries.
 * @returns the id of the journal; null if the wallet was empty.
 * @throws LedgerRefusal wrong_state for a wallet with a call or with entries other than grants; not_found without wallet
 */
export async function takeBackPlayMoney(
  db: Queryable,
  { userId, reason }: { userId: number; reason: string },
): Promise<number | null> {
  const { journalId } = await queryRow(
    db,
    v.object({ journalId: v.nullable(wholeNumber) }),
    sql`SELECT take_back_play_money(${userId}, ${reason}) AS "journalId"`,
  );
  return journalId;
}
