import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "../client.ts";
import { queryRow, wholeNumber } from "./query.ts";

/**
 * Closes every placed call of an event, behind its gate; what is held stays held. The caller closes the event and its
 * spots in the same transaction, which cannot commit otherwise.
 * @returns how many calls were closed
 * @throws LedgerRefusal not_found; wrong_state when the event is neither open nor closed
 */
export async function closeCalls(tx: Transaction, eventId: number): Promise<number> {
  const { closed } = await queryRow(
    tx,
    v.object({ closed: wholeNumber }),
    sql`SELECT close_calls(${eventId}) AS closed`,
  );
  return closed;
}
