import type { LoaderFunctionArgs } from "react-router";
import type { NotificationsAnswer } from "#src/notifications/schemas.ts";
import type { WalletView } from "#src/wallet/schemas.ts";
import { apiContext, pageContext } from "./context.ts";

/** The newest ones that come with every page; opening the list fetches the rest. */
const NOTIFICATIONS_LOADED = 10;

export type FrameData = { wallet: WalletView | null; notifications: NotificationsAnswer | null };

/** Loads what the frame shows around every screen: the viewer's wallet and notifications. */
export async function loadFrame({ context, request }: LoaderFunctionArgs): Promise<FrameData> {
  const { viewer } = context.get(pageContext);
  if (viewer === null) return { wallet: null, notifications: null };
  const api = context.get(apiContext);
  const { signal } = request;
  const [{ wallet }, notifications] = await Promise.all([
    api.get(`/api/v1/users/${viewer.id}/wallet`, { signal }),
    api.get(`/api/v1/users/${viewer.id}/notifications`, {
      query: { limit: NOTIFICATIONS_LOADED },
      signal,
    }),
  ]);
  return { wallet, notifications };
}
