import { useEffect } from "react";
import type { Api } from "#client/base/api/api.ts";
import { createSignal } from "#client/base/browser/store.ts";
import { listen } from "#client/base/live/cable.ts";
import { useSingleFlight } from "#client/base/live/single-flight.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { announceCall } from "#client/calls/own-calls.ts";
import { receiveLook } from "#client/notifications/newest-viewer.ts";
import { applyRead, mergeNotifications } from "#client/notifications/notifications-store.ts";
import { receiveNotification } from "#client/notifications/show-notification.ts";
import { isTrouble } from "#client/ui/forms/refused.ts";
import { balanceChanged } from "#client/wallet/wallet-state.tsx";
import type { UserMessage } from "#src/live/relay/schemas.ts";
import { withLate } from "../base/live/late-code.ts";

/** Messages to this user were missed and must be fetched. */
const ownMissed = createSignal();

/** Subscribes every page to the messages for the signed-in user, and tells the page's parts of them. Renders nothing. */
export function LiveMessages() {
  const { cableUrl, viewer, streamOffsets } = usePage();
  const api = useApi();
  const gid = viewer?.gid;
  const id = viewer?.id;
  const fetchMissed = useSingleFlight(async (signal) => {
    if (id !== undefined) await refetch(api, id, signal);
  });
  useEffect(() => {
    if (gid === undefined) return;
    const missed = () => {
      fetchMissed();
      ownMissed.tell();
    };
    const params = { channel: "UserChannel", id: gid, offset: streamOffsets.user } as const;
    return listen(cableUrl, params, { missed, received: dispatchMessage });
  }, [cableUrl, gid, streamOffsets, fetchMissed]);
  return null;
}

/** Fetches what the missed messages would have changed: the wallet, the notifications and the user's name and avatar. */
async function refetch(api: Api, id: number, signal: AbortSignal): Promise<void> {
  try {
    const [{ user }, notifications] = await Promise.all([
      api.get("/api/v1/users/me", { signal }),
      api.get(`/api/v1/users/${id}/notifications`, { signal }),
    ]);
    balanceChanged.tell(user.wallet);
    mergeNotifications(notifications);
    receiveLook({ avatar: user.avatar, username: user.username });
  } catch (error) {
    // A refusal means that the user has signed out: the screens lead away from here. Other errors are retried.
    if (isTrouble(error)) throw error;
  }
}

/** Calls `onMissed` when messages about the viewer's calls may have been missed. */
export function useOwnMessagesMissed(onMissed: () => void): void {
  useEffect(() => ownMissed.listen(onMissed), [onMissed]);
}

function dispatchMessage(message: UserMessage): void {
  switch (message.eventType) {
    case "place_call":
    case "cancel_call":
      announceCall(message.detail);
      if (message.detail.wallet !== undefined) balanceChanged.tell(message.detail.wallet);
      break;
    case "close_call":
      announceCall(message.detail);
      break;
    case "resolve_call":
      announceCall(message.detail);
      withLate(
        () => import("./announce-elsewhere.ts"),
        ({ announceElsewhere }) => announceElsewhere(message.detail),
      );
      balanceChanged.tell(message.detail.wallet);
      break;
    case "balance_change":
      balanceChanged.tell(message.detail.wallet);
      break;
    case "create":
      receiveNotification(message.detail);
      break;
    case "read":
      applyRead(message.detail);
      break;
    case "avatar":
      receiveLook(message.detail);
      break;
  }
}
