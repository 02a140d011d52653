import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool, Queryable } from "../client.ts";
import { prepareStatement } from "../prepare-statement.ts";
import { queryColumn, queryRows, wholeNumber, writeIntegerArray } from "./query.ts";
import {
  transactionColumns,
  transactionJoins,
  walletMoves,
  type WalletTransaction,
  walletTransaction,
} from "./wallet-moves.ts";

/** Some transactions of a wallet, newest first, and how many it has. */
export type EntriesPage = { transactions: WalletTransaction[]; totalCount: number };

type NewestRow = WalletTransaction & { userId: number; total: number };

/** The array is in a query of its own, so that Postgres keeps one plan for all users: planning takes longer than running. */
const selectNewest = prepareStatement<NewestRow, { userIds: string; limit: string }>(sql`
  SELECT a.user_id::float8 AS "userId", w.moves_count::float8 AS total, page.*
  FROM (
      SELECT user_id, ${sql.placeholder("limit")}::int AS size
      FROM unnest((SELECT ${sql.placeholder("userIds")}::bigint[])) AS u(user_id)
    ) a
    JOIN accounts w ON w.user_id = a.user_id AND w.kind = 'wallet'
    CROSS JOIN LATERAL (
      ${countedBack(sql`a.user_id`, walletMoves(sql`a.user_id`, { first: { order: "DESC", limit: sql`a.size` } }))}
      SELECT ${transactionColumns}, m.step, m.n FROM counted m ${transactionJoins}
    ) page
  ORDER BY page."createdAt" DESC, page.step DESC, page.n DESC`);

/**
 * The newest transactions of several wallets, as listEntries gives them for each, by user id. One query for 30 wallets takes a
 * fifth of the time of 30 queries. Users without transactions are left out.
 * @param limit the most transactions of a wallet.
 */
export async function listNewestEntries(
  pool: DatabasePool,
  { userIds, limit }: { userIds: readonly number[]; limit: number },
): Promise<Map<number, EntriesPage>> {
  const rows = await selectNewest(pool, { userIds: writeIntegerArray(userIds), limit: String(limit) });
  const pages = new Map<number, EntriesPage>();
  for (const row of rows) {
    const page = pages.get(row.userId) ?? { transactions: [], totalCount: row.total };
    page.transactions.push(row);
    pages.set(row.userId, page);
  }
  return pages;
}

/**
 * A page of the transactions of a user's wallet, newest first. It reads the moves from the nearer end of the history up to this
 * page: the running values (balance and held amount) are counted back from those of the wallet, in the same snapshot, or on from
 * zero. So the first and the last pages of a long history take as long as those of a short one.
 */
export async function listEntries(
  db: Queryable,
  { userId, limit, offset }: { userId: number; limit: number; offset: number },
): Promise<EntriesPage> {
  const [totalCount = 0] = await queryColumn(db, wholeNumber)`
    SELECT moves_count FROM accounts WHERE user_id = ${userId} AND kind = 'wallet'`;
  if (offset >= totalCount) return { transactions: [], totalCount };
  const older = totalCount - offset;
  const fromNewest = offset + limit <= older;
  const moves = walletMoves(userId, {
    first: fromNewest ? { order: "DESC", limit: offset + limit } : { order: "ASC", limit: older },
  });
  const transactions = await queryRows(db, walletTransaction)`
    ${fromNewest ? countedBack(userId, moves) : countedOn(moves)}
    SELECT ${transactionColumns} FROM (
      SELECT * FROM counted ORDER BY at DESC, step DESC, n DESC LIMIT ${limit} OFFSET ${fromNewest ? offset : 0}
    ) m ${transactionJoins} ORDER BY m.at DESC, m.step DESC, m.n DESC`;
  return { transactions, totalCount };
}

/**
 * The transactions of one call in the wallet that it was placed from, oldest first, with the same running values. What the house has added to it comes
 * first: it is a microsecond older than the call (db/sql/functions/give-house-dollars.sql).
 */
export function listCallEntries(db: Queryable, callId: number): Promise<WalletTransaction[]> {
  const userId = sql`(SELECT user_id FROM calls WHERE id = ${callId})`;
  const placedAt = sql`(SELECT placed_at FROM calls WHERE id = ${callId})`;
  const sincePlaced = (at: SQL): SQL => sql`${at} >= ${placedAt} - interval '1 microsecond'`;
  return queryRows(db, walletTransaction)`${countedBack(userId, walletMoves(userId, { where: sincePlaced }))}
    SELECT ${transactionColumns} FROM counted m ${transactionJoins}
    WHERE m.call_id = ${callId} OR (m.kind = 'grant' AND m.at < ${placedAt}) ORDER BY m.at, m.step, m.n`;
}

/** `counted`: the newest moves of a wallet, all of them since some time, with the running values after each. */
function countedBack(userId: number | SQL, newest: SQL): SQL {
  return sql`
    WITH counted AS (
      SELECT m.*, w.posted_cents - coalesce(sum(posted) OVER newer, 0) AS balance,
        w.held_cents - coalesce(sum(held) OVER newer, 0) AS held_after
      FROM (${newest}) m CROSS JOIN (
        SELECT posted_cents, held_cents FROM accounts WHERE user_id = ${userId} AND kind = 'wallet'
      ) w
      WINDOW newer AS (ORDER BY at DESC, step DESC, n DESC ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
    )`;
}

/** `counted`: the oldest moves of a wallet, all of them up to some time, with the running values after each. */
function countedOn(oldest: SQL): SQL {
  return sql`
    WITH counted AS (
      SELECT m.*, sum(posted) OVER so_far AS balance, sum(held) OVER so_far AS held_after
      FROM (${oldest}) m WINDOW so_far AS (ORDER BY at, step, n)
    )`;
}

const positionedTransaction = v.object({
  ...walletTransaction.entries,
  /** To the microsecond; a Date has only milliseconds. */
  at: v.string(),
  step: wholeNumber,
  n: wholeNumber,
});
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
    queryRows(db, positionedTransaction)`${batchAfter(last, { userId, batchSize })}`;
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

type Cursor = Pick<v.InferOutput<typeof positionedTransaction>, keyof typeof start>;

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
