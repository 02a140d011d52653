import type { Queryable } from "#db/client.ts";
import { type BookCheck, listBookChecks } from "#db/ledger/list-book-checks.ts";
import { readWallets, type Wallet } from "#db/ledger/read-wallet.ts";

/** The checks of the books that find a difference, in one snapshot. Must always be empty. */
export async function listDifferences(db: Queryable): Promise<BookCheck[]> {
  const checks = await listBookChecks(db);
  return checks.filter(({ bad }) => bad !== 0).toSorted((a, b) => a.name.localeCompare(b.name));
}

export async function readWallet(db: Queryable, userId: number): Promise<Wallet> {
  const [wallet] = await readWallets(db, [userId]);
  if (wallet === undefined) throw new Error(`user ${userId} has no wallet`);
  return wallet;
}
