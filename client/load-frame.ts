import type { WalletView } from "#src/wallet/contract.ts";
import { apiContext, pageContext } from "./context.ts";
import type { LoaderArgs } from "./screen.ts";

export type FrameData = { wallet: WalletView | null };

/** What the frame shows around every screen: the wallet of whoever is signed in. */
export async function loadFrame({ context, request }: LoaderArgs): Promise<FrameData> {
  const { viewer } = context.get(pageContext);
  if (viewer === null) return { wallet: null };
  const api = context.get(apiContext);
  return await api.get<FrameData>(`/api/v1/users/${viewer.id}/wallet`, { signal: request.signal });
}
