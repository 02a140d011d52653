import type { Queryable } from "#db/client.ts";
import { readEntries } from "#db/ledger/read-entries.ts";
import type { Viewer } from "#src/sign-ins/viewer.ts";
import { csvLine } from "./csv.ts";
import { presentTransaction } from "./present-transaction.ts";
import { readOwner } from "./read-owner.ts";
import type { OwnerQuery, TransactionView } from "./schemas.ts";

/** So many lines are in memory at once. */
const BATCH_SIZE = 5_000;

/**
 * Everything that happened to a wallet as a CSV file, oldest first, written while it is read.
 * @throws Refusal 404 for somebody else's wallet.
 */
export function exportTransactions(db: Queryable, viewer: Viewer, query: OwnerQuery): Response {
  const userId = readOwner(viewer, query);
  return new Response(streamOf(writeLines(db, userId)), {
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="called-it-transactions-${userId}.csv"`,
      "cache-control": "private, no-store",
    },
  });
}

/** A batch is read when the one before it was taken, so that whoever reads slowly fills no memory. */
function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: async () => {
      await chunks.return(undefined);
    },
  });
}

async function* writeLines(db: Queryable, userId: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder();
  yield bytes.encode(csvLine(columns.map(([name]) => name)));
  for await (const batch of readEntries(db, { userId, batchSize: BATCH_SIZE })) {
    yield bytes.encode(batch.map((entry) => lineOf(presentTransaction(entry))).join(""));
  }
}

function lineOf(transaction: TransactionView): string {
  return csvLine(columns.map(([, cell]) => cell(transaction)));
}

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
