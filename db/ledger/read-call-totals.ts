import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { playersOf } from "../players-of.ts";
import { queryRow, wholeNumber } from "./query.ts";

const callTotals = v.object({
  allCalls: wholeNumber,
  /** Placed or closed. */
  activeCalls: wholeNumber,
  resolvedCalls: wholeNumber,
});
export type CallTotals = v.InferOutput<typeof callTotals>;

/** How many calls a player has, those of merged guests included, as the wallets keep it; zeros without a wallet. */
export async function readCallTotals(db: Queryable, userId: number): Promise<CallTotals> {
  return queryRow(
    db,
    callTotals,
    sql`SELECT coalesce(sum(recorded_calls + cancelled_calls), 0) AS "allCalls", coalesce(sum(held_calls), 0) AS "activeCalls",
        coalesce(sum(resolved_calls), 0) AS "resolvedCalls"
      FROM ${playersOf(userId)} AS player JOIN accounts a ON a.user_id = player.id AND a.kind = 'wallet'`,
  );
}
