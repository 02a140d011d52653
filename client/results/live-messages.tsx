import { useEffect } from "react";
import type { Api } from "#client/base/api/api.ts";
import { listen } from "#client/base/live/cable.ts";
import { singleFlight } from "#client/base/live/single-flight.ts";
import { useApi, usePage } from "#client/base/page/context.ts";
import { announceCall, CALL_CANCEL, CALL_CLOSE, CALL_PLACE, CALL_RESOLVE } from "#client/calls/own-calls.ts";
import { receiveLook } from "#client/notifications/newest-viewer.ts";
import { applyRead, mergeNotifications } from "#client/notifications/notifications-store.ts";
import { receiveNotification } from "#client/notifications/show-notification.ts";
import { isTrouble } from "#client/ui/forms/refused.ts";
import { announceBalance } from "#client/wallet/wallet-state.tsx";
import type { UserMessage } from "#src/live/relay/schemas.ts";
import { fetchLate } from "../base/live/late-code.ts";

/** Event on `window`: messages to this user were missed and must be fetched. */
const OWN_MESSAGES_MISSED = "own:missed";

/** Subscribes every page to the messages for the signed-in user, and dispatches them as local events. Renders nothing. */
export function LiveMessages() {
  const { cableUrl, viewer, streamOffsets } = usePage();
  const api = useApi();
  const gid = viewer?.gid;
  const id = viewer?.id;
  useEffect(() => {
    if (gid === undefined || id === undefined) return;
    const unmounted = new AbortController();
    const fetchMissed = singleFlight(unmounted.signal, () => refetch(api, id, unmounted.signal));
    const missed = () => {
      fetchMissed();
      globalThis.dispatchEvent(new Event(OWN_MESSAGES_MISSED));
    };
    const params = { channel: "UserChannel", id: gid, offset: streamOffsets.user } as const;
    const stop = listen(cableUrl, params, { missed, received: dispatchMessage });
    return () => {
      unmounted.abort();
      stop();
    };
  }, [api, cableUrl, gid, id, streamOffsets]);
  return null;
}

/** Fetches what the missed messages would have changed: the wallet, the notifications and the user's name and avatar. */
async function refetch(api: Api, id: number, signal: AbortSignal): Promise<void> {
  try {
    const [{ user }, notifications] = await Promise.all([
      api.get("/api/v1/users/me", { signal }),
      api.get(`/api/v1/users/${id}/notifications`, { signal }),
    ]);
    announceBalance(user.wallet);
    mergeNotifications(notifications);
    receiveLook({ avatar: user.avatar, username: user.username });
  } catch (error) {
    // A refusal means that the user has signed out: the screens lead away from here. Other errors are retried.
    if (isTrouble(error)) throw error;
  }
}

/** Calls `onMissed` when messages about the viewer's calls may have been missed. */
export function useOwnMessagesMissed(onMissed: () => void): void {
  useEffect(() => {
    globalThis.addEventListener(OWN_MESSAGES_MISSED, onMissed);
    return () => globalThis.removeEventListener(OWN_MESSAGES_MISSED, onMissed);
  }, [onMissed]);
}

function dispatchMessage(message: UserMessage): void {
  switch (message.eventType) {
    case "place_call":
      announceCall(CALL_PLACE, message.detail);
      break;
    case "cancel_call":
      announceCall(CALL_CANCEL, message.detail);
      break;
    case "close_call":
      announceCall(CALL_CLOSE, message.detail);
      break;
    case "resolve_call":
      announceCall(CALL_RESOLVE, message.detail);
      void fetchLate(() => import("./announce-elsewhere.ts")).then(
        ({ announceElsewhere }) => announceElsewhere(message.detail),
        () => undefined,
      );
      announceBalance(message.detail.wallet);
      break;
    case "balance_change":
      announceBalance(message.detail.wallet);
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
