import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
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
  const { transactions, totalCount } = await listEntries(db, {
    userId,
    limit: page.perPage,
    offset: page.offset,
  });
  return { transactions: transactions.map(presentTransaction), meta: listMeta(page, totalCount, now) };
}
