import { createContext } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { NOTIFICATIONS_LOADED } from "#src/people/notifications/contract.ts";
import type { NotificationsAnswer } from "#src/people/notifications/schemas.ts";
import { pageContext } from "./context.ts";

export type FrameData = { wallet: WalletView | null; notifications: NotificationsAnswer | null };

/** The frame's data that the server has read before the loaders run; null: the loader fetches it. */
export const startedFrameContext = createContext<FrameData | null>(null);

/** Loads what the frame shows around every screen. */
export async function loadFrame({ api, context, request }: LoaderArgs): Promise<FrameData> {
  const started = context.get(startedFrameContext);
  return started ?? fetchFrame(api, context.get(pageContext).viewer, request.signal);
}

export async function fetchFrame(
  api: Api,
  viewer: { id: number } | null,
  signal: AbortSignal,
): Promise<FrameData> {
  if (viewer === null) return { wallet: null, notifications: null };
  const [{ wallet }, notifications] = await Promise.all([
    api.get(`/api/v1/users/${viewer.id}/wallet`, { signal }),
    api.get(`/api/v1/users/${viewer.id}/notifications`, {
      query: { limit: NOTIFICATIONS_LOADED },
      signal,
    }),
  ]);
  return { wallet, notifications };
}
