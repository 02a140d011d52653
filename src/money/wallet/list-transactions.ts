import type * as v from "valibot";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { type EntriesPage, listEntries, listNewestEntries, readEntries } from "#db/ledger/list-entries.ts";
import type { WalletTransaction } from "#db/ledger/wallet-moves.ts";
import type { RefundCause } from "#db/lists/calls.ts";
import { batchReads } from "#src/base/batcher.ts";
import { labelsOf } from "#src/base/contract.ts";
import { csvHeader, csvLine } from "#src/base/csv.ts";
import { say, snakeCase } from "#src/http/contract.ts";
import { download } from "#src/http/download.ts";
import { listMeta, type Page } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { requireOwn } from "#src/people/sign-ins/authorize.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { site } from "#src/settings/contract.ts";
import {
  type OwnerQuery,
  type transactionsAnswer,
  transactionSchema,
  type TransactionView,
} from "./schemas.ts";

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

const columns: readonly (keyof TransactionView)[] = [
  ...(["createdAt", "id", "kind", "memo", "amount", "balanceAfter", "availableAfter"] as const),
  ...(["callId", "eventId", "sessionId", "paymentId"] as const),
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
  return download(writeLines(db, userId), `${site().slug}-transactions-${userId}.csv`);
}

async function* writeLines(db: Queryable, userId: number): AsyncGenerator<string> {
  yield csvHeader(columns.map(snakeCase));
  for await (const batch of readEntries(db, { userId, batchSize: BATCH_SIZE })) {
    yield batch.map((entry) => lineOf(presentTransaction(entry))).join("");
  }
}

function lineOf(transaction: TransactionView): string {
  return csvLine(columns.map((column) => transaction[column]));
}

export function presentTransaction(row: WalletTransaction): TransactionView {
  return present(transactionSchema, { ...row, memo: memoOf(row) });
}

/**
 * A short text: the kind of transaction, and the event or reason. Example: "Won: Rain by noon?". Of grants only what the house adds to a
 * call has an event, and its reason says it.
 */
function memoOf(row: WalletTransaction): string {
  const about = row.eventTitle ?? row.reason ?? "";
  const label = row.kind === "grant" && row.eventTitle !== null ? (row.reason ?? "") : labelOf(row);
  return about === "" ? label : say`${label}: ${about}`;
}

function labelOf(row: WalletTransaction): string {
  if (row.owed) return row.amountCents < 0 ? "Paid back what was owed" : "Lent for a correction";
  if (row.kind === "refund" && row.paymentId !== null)
    return row.amountCents < 0 ? "Payment refunded" : "Payment is back";
  if (row.kind === "refund" && row.refundedBy !== null) return refundLabel(row.refundedBy);
  if (row.kind === "settle") return row.outcome === "won" ? "Won" : "Lost";
  return kindLabel(row.kind);
}

const kindLabel = labelsOf<Exclude<WalletTransaction["kind"], "settle">>({
  grant: "Play money",
  deposit: "Deposit",
  hold: "Call placed",
  release: "Call taken back by you",
  refund: "Refunded",
  correction: "Result corrected",
  adjustment: "Adjustment",
});

const refundLabel = labelsOf<RefundCause>({
  skip: "Refunded, the host skipped it",
  reset: "Refunded, the host reset it",
  admin: "Refunded, the host took your call back",
});

/**
 * Reads the user whose rows a query asks for; by default the viewer.
 * @throws Refusal 404 for another user, unless the viewer is an admin; and for an unknown user.
 */
export async function readOwnerId(
  db: Queryable,
  viewer: Viewer,
  { userId = viewer.id }: OwnerQuery,
): Promise<number> {
  requireOwn(viewer, userId);
  if (userId !== viewer.id) await requireUser(db, userId);
  return userId;
}
