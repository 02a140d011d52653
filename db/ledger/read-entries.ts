import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRows, wholeNumber } from "./query.ts";
import {
  transactionColumns,
  transactionJoins,
  walletMoves,
  type WalletTransaction,
  walletTransaction,
} from "./wallet-moves.ts";

const positionedTransaction = v.object({
  ...walletTransaction.entries,
  /** To the microsecond; a Date has only milliseconds. */
  at: v.string(),
  step: wholeNumber,
  n: wholeNumber,
});
type PositionedTransaction = v.InferOutput<typeof positionedTransaction>;

const start = { at: "-infinity", step: 0, n: 0, balanceAfterCents: 0, heldAfterCents: 0 };

/**
 * Reads all transactions of a user's wallet, oldest first, in batches. While the caller works on a batch, the next one is read.
 * So it needs the memory of two batches, and holds no transaction open while a client reads slowly.
 */
export async function* readEntries(
  db: Queryable,
  { userId, batchSize }: { userId: number; batchSize: number },
): AsyncGenerator<WalletTransaction[]> {
  const readAfter = (last: Cursor) =>
    queryRows(db, positionedTransaction, batchAfter(last, { userId, batchSize }));
  let next = readAfter(start);
  for (;;) {
    const batch = await next;
    const last = batch.at(-1);
    if (last === undefined) return;
    const isLast = batch.length < batchSize;
    if (!isLast) next = readAfter(last);
    // The caller may stop here, and never await it.
    next.catch(() => undefined);
    yield batch;
    if (isLast) return;
  }
}

type Cursor = Pick<PositionedTransaction, keyof typeof start>;

/** The batch after the cursor. Its running values continue those of the cursor. */
function batchAfter(last: Cursor, { userId, batchSize }: { userId: number; batchSize: number }): SQL {
  // Moves at the time of the cursor come after it if their step is later, or the same and their number higher.
  const numberAfter = (step: number): SQL => {
    if (step === last.step) return sql`${last.n}::bigint`;
    return step > last.step ? sql`-1` : sql`9223372036854775807`;
  };
  const moves = walletMoves(userId, {
    where: (at, n, step) => sql`(${at}, ${n}) > (${last.at}::timestamptz, ${numberAfter(step)})`,
    first: { order: "ASC", limit: batchSize },
  });
  return sql`
    WITH counted AS (
      SELECT m.*, ${last.balanceAfterCents}::bigint + sum(posted) OVER so_far AS balance,
        ${last.heldAfterCents}::bigint + sum(held) OVER so_far AS held_after
      FROM (${moves}) m WINDOW so_far AS (ORDER BY at, step, n)
    )
    SELECT ${transactionColumns}, m.at::text, m.step, m.n FROM counted m ${transactionJoins}
    ORDER BY m.at, m.step, m.n`;
}
