import type { LoaderFunctionArgs } from "react-router";
import type { WalletView } from "#src/wallet/contract.ts";
import { apiContext, pageContext } from "./context.ts";

export type FrameData = { wallet: WalletView | null };

/** What the frame shows around every screen: the wallet of whoever is signed in. */
export async function loadFrame({ context, request }: LoaderFunctionArgs): Promise<FrameData> {
  const { viewer } = context.get(pageContext);
  if (viewer === null) return { wallet: null };
  const api = context.get(apiContext);
  return api.get<FrameData>(`/api/v1/users/${viewer.id}/wallet`, { signal: request.signal });
}
