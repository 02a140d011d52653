import type { LoaderFunctionArgs } from "react-router";
import type { ListMeta } from "#src/http/contract.ts";
import type { TransactionView } from "#src/wallet/contract.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

export type WalletData = { transactions: TransactionView[]; meta: ListMeta };

/** A page of what moved in the viewer's wallet, newest first; the wallet itself comes with the frame. */
export async function loadWallet({ context, request }: LoaderFunctionArgs): Promise<WalletData> {
  return context.get(apiContext).get<WalletData>("/api/v1/transactions", {
    query: { page: pageIn(new URL(request.url).searchParams) },
    signal: request.signal,
  });
}
