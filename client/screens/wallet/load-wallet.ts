import type { LoaderFunctionArgs } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { randomId } from "#client/base/browser/random-id.ts";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { ListMeta } from "#src/http/schemas.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { TransactionView } from "#src/money/wallet/schemas.ts";
import type { Plot, plotOf } from "./plot.ts";

type TransactionsPage = {
  transactions: TransactionView[];
  meta: ListMeta;
  /** What was available after each of the newest transactions; null on later pages and with fewer than two transactions. */
  plot: Plot | null;
};

export type WalletData = {
  history: Deferred<TransactionsPage>;
  /** The payment whose checkout the viewer returns from; null where there is none. */
  payment: Deferred<PaymentView | null> | null;
  /** The payment form's first amount, from the address; null: the default. */
  amount: string | null;
  /** Idempotency-Key of the payment form. */
  formKey: string;
};

/** A page of the viewer's transactions, newest first. The wallet itself is loaded with the frame. */
export async function loadWallet(args: LoaderFunctionArgs): Promise<WalletData> {
  const { context, request } = args;
  const api = context.get(apiContext);
  const search = new URL(request.url).searchParams;
  const reference = search.get("payment");
  const [history, payment] = await Promise.all([
    defer(args, () => fetchPage(api, pageIn(search), request.signal)),
    reference === null ? null : defer(args, () => findPayment(api, reference)),
  ]);
  return { history, payment, amount: amountIn(search), formKey: randomId() };
}

async function fetchPage(api: Api, page: number, signal: AbortSignal): Promise<TransactionsPage> {
  const answer = await api.get("/api/v1/transactions", { query: { page }, signal });
  const plot = answer.meta.currentPage === 1 ? await drawPlot(answer.transactions) : null;
  return { ...answer, plot };
}

/** The code that draws the plot; null until it was fetched. */
let code: { plotOf: typeof plotOf } | null = null;

/**
 * Draws the plot. d3's scales are larger than all account screens together, so that their code is a chunk of its own: the server
 * draws the first page, and only a browser that opens the wallet by a link fetches the code.
 */
async function drawPlot(newestFirst: readonly TransactionView[]): Promise<Plot | null> {
  code ??= await import("./plot.ts").catch(() => null);
  return code?.plotOf(newestFirst.map(({ availableAfterCents }) => availableAfterCents).toReversed()) ?? null;
}

/** The amount of a failed payment that the player tries again. */
function amountIn(search: URLSearchParams): string | null {
  const amount = search.get("amount") ?? "";
  return /^\d{1,3}(\.\d{1,2})?$/.test(amount) ? amount : null;
}

/** Null for a reference that is not one of the viewer's payments: the wallet is shown anyway. */
async function findPayment(api: Api, reference: string): Promise<PaymentView | null> {
  try {
    const { payment } = await api.get(`/api/v1/payments/${encodeURIComponent(reference)}`);
    return payment;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
