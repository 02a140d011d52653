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

const transactionWithCount = v.object({ ...walletTransaction.entries, totalCount: wholeNumber });

/**
 * A page of the transactions of a user's wallet, newest first. The running values (balance and held amount) are computed by
 * the same query, so they always agree with the rows around them.
 */
export async function listEntries(
  db: Queryable,
  { userId, limit, offset }: { userId: number; limit: number; offset: number },
): Promise<{ transactions: WalletTransaction[]; totalCount: number }> {
  const rows = await queryRows(db, transactionWithCount, page(userId, { limit, offset }));
  const totalCount = rows[0]?.totalCount ?? (offset === 0 ? 0 : await countEntries(db, userId));
  return { transactions: rows.map((each) => v.parse(walletTransaction, each)), totalCount };
}

/** The transactions of one call in its player's wallet, oldest first, with the same running values. */
export function listCallEntries(
  db: Queryable,
  { userId, callId }: { userId: number; callId: number },
): Promise<WalletTransaction[]> {
  return queryRows(
    db,
    walletTransaction,
    sql`
      WITH moves AS (${walletMoves(userId)}), counted AS (
        SELECT m.*, sum(posted) OVER so_far AS balance, sum(held) OVER so_far AS held_after
        FROM moves m WINDOW so_far AS (ORDER BY at, step, n)
      )
      SELECT ${transactionColumns} FROM counted m ${transactionJoins}
      WHERE m.call_id = ${callId} ORDER BY m.at, m.step, m.n`,
  );
}

/** Past the last page there is no row that has the count. */
async function countEntries(db: Queryable, userId: number): Promise<number> {
  const [first] = await queryRows(db, transactionWithCount, page(userId, { limit: 1, offset: 0 }));
  return first?.totalCount ?? 0;
}

function page(userId: number, { limit, offset }: { limit: number; offset: number }): SQL {
  return sql`
    WITH moves AS (${walletMoves(userId)}), counted AS (
      SELECT m.*, sum(posted) OVER so_far AS balance, sum(held) OVER so_far AS held_after, count(*) OVER () AS total
      FROM moves m WINDOW so_far AS (ORDER BY at, step, n)
      ORDER BY at DESC, step DESC, n DESC LIMIT ${limit} OFFSET ${offset}
    )
    SELECT ${transactionColumns}, m.total AS "totalCount" FROM counted m ${transactionJoins}
    ORDER BY m.at DESC, m.step DESC, m.n DESC`;
}
