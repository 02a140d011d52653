import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";

const callTotals = v.object({
  allCalls: wholeNumber,
  /** Placed or closed. */
  activeCalls: wholeNumber,
  resolvedCalls: wholeNumber,
});
export type CallTotals = v.InferOutput<typeof callTotals>;

/** How many calls a user has, as the wallet keeps it; zeros without a wallet. */
export async function readCallTotals(db: Queryable, userId: number): Promise<CallTotals> {
  const [totals] = await queryRows(
    db,
    callTotals,
    sql`SELECT recorded_calls + cancelled_calls AS "allCalls", held_calls AS "activeCalls", resolved_calls AS "resolvedCalls"
      FROM accounts WHERE user_id = ${userId} AND kind = 'wallet'`,
  );
  return totals ?? { allCalls: 0, activeCalls: 0, resolvedCalls: 0 };
}
