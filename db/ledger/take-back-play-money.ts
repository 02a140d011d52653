import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/**
 * Takes back the grants of a wallet that was never used, by entries that undo them.
 * @returns the id of the journal; null where the wallet was empty.
 * @throws LedgerRefusal wrong_state for a wallet with a call or with anything but grants; not_found without wallet
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
