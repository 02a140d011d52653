import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { type EntriesPage, listEntries, listNewestEntries } from "#db/ledger/list-entries.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { presentTransaction } from "./present-transaction.ts";
import { readOwnerId } from "./read-owner.ts";
import type { OwnerQuery, transactionsAnswer } from "./schemas.ts";

/**
 * Lists a wallet's transactions, newest first, one page at a time.
 * @throws Refusal 404 for another user's wallet, unless the viewer is an admin; and for an unknown user.
 */
export async function listTransactions(
  db: Queryable,
  { viewer, query, page }: { viewer: Viewer; query: OwnerQuery; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof transactionsAnswer>> {
  const userId = await readOwnerId(db, viewer, query);
  const { perPage: limit, offset } = page;
  const { transactions, totalCount } = await (offset === 0
    ? findNewest(db, { userId, limit })
    : listEntries(db, { userId, limit, offset }));
  return { transactions: transactions.map(presentTransaction), meta: listMeta(page, totalCount, now) };
}

/** The first page of a wallet. All who ask at the same moment share one read. */
const findNewest = shareReads(
  ({ limit }: { userId: number; limit: number }) => limit,
  async (db: Queryable, owners) => {
    const userIds = [...new Set(owners.map(({ userId }) => userId))];
    const pages = await listNewestEntries(db, { userIds, limit: owners[0].limit });
    return ({ userId }): EntriesPage => pages.get(userId) ?? { transactions: [], totalCount: 0 };
  },
);
