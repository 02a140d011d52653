import { expect } from "bun:test";
import { sql } from "drizzle-orm";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { listEntries, listNewestEntries, readEntries } from "#db/ledger/list-entries.ts";
import { queryRows } from "#db/ledger/query.ts";
import {
  hasPaid,
  transactionColumns,
  transactionJoins,
  type WalletTransaction,
  walletTransaction,
} from "#db/ledger/wallet-moves.ts";

const PAGE_SIZE = 3;

/**
 * Compares the history of a wallet with one that is computed from the first move on, without the columns that make pages fast
 * (`ended_at`, `listed`, `moves_count`): whole, page by page, and in batches from the oldest one on.
 */
export async function expectRecomputedHistory(pool: DatabasePool, userId: number): Promise<void> {
  const { db } = pool;
  const all = await recomputeHistory(db, userId);
  const page = (offset: number, limit: number) => listEntries(db, { userId, limit, offset });
  expect(await page(0, all.length + 1)).toEqual({ transactions: all, totalCount: all.length });
  const others = await db.execute(
    sql`SELECT user_id::float8 AS id FROM accounts WHERE kind = 'wallet' LIMIT 5`,
  );
  const userIds = [...new Set([userId, ...others.map(({ id }) => Number(id))])];
  const newest = await listNewestEntries(pool, { userIds, limit: PAGE_SIZE });
  expect(newest.get(userId)?.transactions ?? []).toMatchObject(all.slice(0, PAGE_SIZE));
  for (let offset = 0; offset <= all.length; offset += PAGE_SIZE) {
    const expected = all.slice(offset, offset + PAGE_SIZE);
    expect(await page(offset, PAGE_SIZE)).toEqual({ transactions: expected, totalCount: all.length });
  }
  const batches = await Array.fromAsync(readEntries(db, { userId, batchSize: PAGE_SIZE }));
  expect(batches.flat()).toMatchObject(all.toReversed());
}

/** All moves, newest first. The running values are sums over all moves so far. */
function recomputeHistory(db: Queryable, userId: number): Promise<WalletTransaction[]> {
  return queryRows(db, walletTransaction)`WITH moves AS (
      SELECT 'call-' || id AS id, 'hold' AS kind, placed_at AS at, 0 AS step, id AS n, 0::bigint AS posted,
        wager_cents AS held, id AS call_id, event_id, refunded_by, NULL::bigint AS journal_id, NULL AS outcome,
        false AS owed
      FROM calls WHERE user_id = ${userId}
      UNION ALL
      SELECT 'release-' || id, CASE WHEN refunded_by IS NULL THEN 'release' ELSE 'refund' END, updated_at, 1, id, 0,
        -wager_cents, id, event_id, refunded_by, NULL, NULL, false
      FROM calls WHERE user_id = ${userId} AND state = 'soft_destroyed'
      UNION ALL
      SELECT 'payout-' || c.id, CASE l.outcome WHEN 'refunded' THEN 'refund' ELSE 'settle' END, s.created_at, 1, c.id,
        l.payout_cents - c.wager_cents, -c.wager_cents, c.id, c.event_id, c.refunded_by, s.journal_id, l.outcome, false
      FROM calls c JOIN LATERAL (
          SELECT s.* FROM settlements s WHERE s.event_id = c.event_id AND s.round = c.round AND ${hasPaid}
          ORDER BY s.version LIMIT 1
        ) s ON true JOIN settlement_lines l ON l.settlement_id = s.id AND l.call_id = c.id
      WHERE c.user_id = ${userId} AND c.state = 'resolved'
      UNION ALL
      SELECT 'entry-' || t.id, CASE
          WHEN t.owed OR t.kind IN ('settle', 'resettle') THEN 'correction'
          WHEN t.kind = 'chargeback' THEN 'refund'
          WHEN t.kind IN ('adjust', 'withdrawal') THEN 'adjustment'
          ELSE t.kind
        END, t.created_at, 2, t.account_version, t.amount_cents, 0, t.call_id, NULL, NULL, t.journal_id, NULL, t.owed
      FROM (
        SELECT e.*, j.kind, e.call_id IS NULL AND EXISTS (
          SELECT 1 FROM entries r JOIN accounts a ON a.id = r.account_id
          WHERE r.journal_id = e.journal_id AND a.kind = 'receivable' AND a.user_id = ${userId}
            AND r.amount_cents = -e.amount_cents
        ) AS owed
        FROM accounts w JOIN entries e ON e.account_id = w.id JOIN journal j ON j.id = e.journal_id
        WHERE w.user_id = ${userId} AND w.kind = 'wallet' AND NOT (j.kind = 'settle' AND e.call_id IS NOT NULL)
      ) t
    ), counted AS (
      SELECT m.*, sum(posted) OVER so_far AS balance, sum(held) OVER so_far AS held_after
      FROM moves m WINDOW so_far AS (ORDER BY at, step, n)
    )
    SELECT ${transactionColumns} FROM counted m ${transactionJoins} ORDER BY m.at DESC, m.step DESC, m.n DESC`;
}
