import type { LoaderFunctionArgs } from "react-router";
import type { ListMeta } from "#src/http/schemas.ts";
import type { PaymentView } from "#src/payments/schemas.ts";
import type { TransactionView } from "#src/wallet/schemas.ts";
import { type Api, ApiError } from "../api.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";
import type { Plot } from "./plot.ts";

type TransactionsPage = { transactions: TransactionView[]; meta: ListMeta };

export type WalletData = TransactionsPage & {
  /** The balance over the newest transactions; null on the other pages, and where there are too few. */
  plot: Plot | null;
  /** The payment that the viewer comes back from; null where there is none. */
  payment: PaymentView | null;
  /** What the address says that the form starts with. */
  amount: string | null;
  /** Idempotency-Key of the form that pays in. */
  formKey: string;
};

/** A page of what moved in the viewer's wallet, newest first; the wallet itself comes with the frame. */
export async function loadWallet({ context, request }: LoaderFunctionArgs): Promise<WalletData> {
  const api = context.get(apiContext);
  const search = new URL(request.url).searchParams;
  const [page, payment] = await Promise.all([
    api.get("/api/v1/transactions", {
      query: { page: pageIn(search) },
      signal: request.signal,
    }),
    findPayment(api, search.get("payment")),
  ]);
  const plot = page.meta.currentPage === 1 ? await drawPlot(page.transactions) : null;
  return { ...page, plot, payment, amount: amountIn(search), formKey: crypto.randomUUID() };
}

/** Its code is larger than the whole screen. A page that comes from the server is drawn there, and never fetches it. */
async function drawPlot(newestFirst: readonly TransactionView[]): Promise<Plot | null> {
  const code = await import("./plot.ts").catch(() => null);
  return code?.plotOf(newestFirst.map(({ balanceAfterCents }) => balanceAfterCents).toReversed()) ?? null;
}

/** The amount of a payment that is tried again. */
function amountIn(search: URLSearchParams): string | null {
  const amount = search.get("amount") ?? "";
  return /^\d{1,3}(\.\d{1,2})?$/.test(amount) ? amount : null;
}

/** An address that names no payment of the viewer's is the wallet's all the same. */
async function findPayment(api: Api, reference: string | null): Promise<PaymentView | null> {
  if (reference === null) return null;
  try {
    const { payment } = await api.get(`/api/v1/payments/${encodeURIComponent(reference)}`);
    return payment;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}
