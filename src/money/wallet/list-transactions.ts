import type * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { type EntriesPage, listEntries, listNewestEntries } from "#db/ledger/list-entries.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { createKnownRead } from "#src/http/known-read.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { presentTransaction } from "./present-transaction.ts";
import type { transactionsAnswer } from "./schemas.ts";

type Asked = { userId: number; page: Page };
type TransactionsAnswer = v.InferOutput<typeof transactionsAnswer>;

/** A page of transactions that was read together with the sign-in. */
export const knownTransactions = createKnownRead<Asked, TransactionsAnswer>();

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
const findNewest = shareReads(
  ({ limit }: { userId: number; limit: number }) => limit,
  async (pool: DatabasePool, owners) => {
    const userIds = [...new Set(owners.map(({ userId }) => userId))];
    const pages = await listNewestEntries(pool, { userIds, limit: owners[0].limit });
    return ({ userId }): EntriesPage => pages.get(userId) ?? { transactions: [], totalCount: 0 };
  },
);
