import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { allowTimeForCrowd } from "./allow-time.ts";
import { queryRow, wholeNumber } from "./query.ts";
import { writeIntegerArray } from "./write-array.ts";

/**
 * Closes every placed call of events, behind their gates; what is held stays held. The caller closes the events and their
 * spots in the same transaction, which cannot commit otherwise.
 * @returns how many calls were closed
 * @throws LedgerRefusal not_found; wrong_state when one of the events is neither open nor closed
 */
export async function closeCalls(tx: Transaction, ...eventIds: number[]): Promise<number> {
  // Both go out together, and the second is not begun before the first is done.
  const [, { closed }] = await Promise.all([
    allowTimeForCrowd(tx),
    queryRow(
      tx,
      v.object({ closed: wholeNumber }),
      sql`SELECT close_calls(${writeIntegerArray(eventIds)}::bigint[]) AS closed`,
    ),
  ]);
  return closed;
}
