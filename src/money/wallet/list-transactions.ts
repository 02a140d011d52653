import type * as v from "valibot";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { type EntriesPage, listEntries, listNewestEntries } from "#db/ledger/list-entries.ts";
import { readEntries } from "#db/ledger/read-entries.ts";
import { batchReads } from "#src/base/batcher.ts";
import { csvHeader, csvLine } from "#src/base/csv.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { streamParts } from "#src/http/stream-parts.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { presentTransaction } from "./present-transaction.ts";
import { readOwnerId } from "./read-owner.ts";
import type { OwnerQuery, transactionsAnswer, TransactionView } from "./schemas.ts";

type Asked = { userId: number; page: Page };
type TransactionsAnswer = v.InferOutput<typeof transactionsAnswer>;

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** A page of transactions that was read together with the sign-in; null for another one. */
    knownTransactions?: (asked: Asked) => Promise<TransactionsAnswer> | null;
  }
}

/** Lines of a batch. Two batches are in memory at once. */
const BATCH_SIZE = 5_000;

const columns: readonly [name: string, cell: (transaction: TransactionView) => string | number | null][] = [
  ["created_at", ({ createdAt }) => createdAt],
  ["id", ({ id }) => id],
  ["kind", ({ kind }) => kind],
  ["memo", ({ memo }) => memo],
  ["amount", ({ amount }) => amount],
  ["balance_after", ({ balanceAfter }) => balanceAfter],
  ["available_after", ({ availableAfter }) => availableAfter],
  ["call_id", ({ callId }) => callId],
  ["event_id", ({ eventId }) => eventId],
  ["session_id", ({ sessionId }) => sessionId],
  ["payment_id", ({ paymentId }) => paymentId],
];

/** Lists the transactions of a user's wallet, newest first, one page at a time. */
export async function listTransactions(
  pool: DatabasePool,
  { userId, page }: Asked,
  now: Date,
): Promise<TransactionsAnswer> {
  const { perPage: limit, offset } = page;
  const { transactions, totalCount } = await (offset === 0
    ? findNewest(pool, { userId, limit })
    : listEntries(pool.db, { userId, limit, offset }));
  return { transactions: transactions.map(presentTransaction), meta: listMeta(page, totalCount, now) };
}

/** The first page of a wallet. All who ask at the same moment share one read. */
const findNewest = batchReads(
  ({ limit }: { userId: number; limit: number }) => limit,
  async (pool: DatabasePool, owners) => {
    const userIds = [...new Set(owners.map(({ userId }) => userId))];
    const pages = await listNewestEntries(pool, { userIds, limit: owners[0].limit });
    return ({ userId }): EntriesPage => pages.get(userId) ?? { transactions: [], totalCount: 0 };
  },
);

/**
 * Streams all transactions of a wallet as a CSV file, oldest first. Batches are read by key: a cursor would hold a database
 * connection for as long as a slow client downloads. The running balance continues from the previous batch.
 * @throws Refusal 404 for another user's wallet, unless the viewer is an admin; and for an unknown user.
 */
export async function exportTransactions(
  db: Queryable,
  viewer: Viewer,
  query: OwnerQuery,
): Promise<Response> {
  const userId = await readOwnerId(db, viewer, query);
  return new Response(streamParts(writeLines(db, userId)), {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="called-it-transactions-${userId}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}

async function* writeLines(db: Queryable, userId: number): AsyncGenerator<string> {
  yield csvHeader(columns.map(([name]) => name));
  for await (const batch of readEntries(db, { userId, batchSize: BATCH_SIZE })) {
    yield batch.map((entry) => lineOf(presentTransaction(entry))).join("");
  }
}

function lineOf(transaction: TransactionView): string {
  return csvLine(columns.map(([, cell]) => cell(transaction)));
}
