import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { raiseStatementTimeout } from "#db/ledger/large-settlement.ts";
import { queryRow, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";

/**
 * Closes every placed call of events while it holds their gates, as close_events does. The held amounts do not change. The caller must close the
 * events and their spots in the same transaction; it cannot commit otherwise.
 * @returns how many calls were closed
 * @throws LedgerRefusal not_found; wrong_state if one of the events is neither open nor closed
 */
export async function closeCalls(tx: Transaction, ...eventIds: number[]): Promise<number> {
  // Both are sent together; Postgres runs the second after the first.
  const [, { closed }] = await Promise.all([
    raiseStatementTimeout(tx),
    queryRow(tx, v.object({ closed: wholeNumber }))`
      SELECT close_calls(${writeIntegerArray(eventIds)}::bigint[]) AS closed`,
  ]);
  return closed;
}
