import { useEffect } from "react";
import type { CallView } from "#src/calls/schemas.ts";
import type { UserMessage } from "#src/relay/schemas.ts";
import type { Api } from "./api.ts";
import { listen } from "./cable.ts";
import { useApi, usePage } from "./context.ts";
import { hearAndSay } from "./notifications/hear-and-say.ts";
import { hearRead, takeNotifications } from "./notifications/known-notifications.ts";
import { oneAtATime } from "./one-at-a-time.ts";
import { isTrouble } from "./refused.ts";
import { hearAvatar, takeAvatar } from "./users/own-avatar.ts";
import { announceBalance } from "./wallet/wallet-state.tsx";

/** Local events for every part of the page, with `detail: { call }`. The third, balance:update, is the wallet's. */
export const CALL_CLOSE = "call:close";
export const CALL_RESOLVE = "call:resolve";

/** Sent to the window when the player may have missed something of the own that only a look can tell. */
const OWN_MISSED = "own:missed";

/** Hears what concerns the signed-in player alone, on every page, and passes it on as local events. Draws nothing. */
export function LiveMessages() {
  const { cableUrl, viewer, places } = usePage();
  const api = useApi();
  const gid = viewer?.gid;
  const id = viewer?.id;
  useEffect(() => {
    if (gid === undefined || id === undefined) return;
    const gone = new AbortController();
    const look = oneAtATime(gone.signal, () => lookAgain(api, id, gone.signal));
    const missed = () => {
      look();
      globalThis.dispatchEvent(new Event(OWN_MISSED));
    };
    const params = { channel: "UserChannel", id: gid, place: places.user } as const;
    const stop = listen(cableUrl, params, { missed, received: passOn });
    return () => {
      gone.abort();
      stop();
    };
  }, [api, cableUrl, gid, id, places]);
  return null;
}

/** What messages would have told: the wallet, the notifications, and the player's pictures. */
async function lookAgain(api: Api, id: number, signal: AbortSignal): Promise<void> {
  try {
    const [{ user }, notifications] = await Promise.all([
      api.get("/api/v1/users/me", { signal }),
      api.get(`/api/v1/users/${id}/notifications`, { signal }),
    ]);
    announceBalance(user.wallet);
    takeNotifications(notifications);
    takeAvatar(user.avatar);
  } catch (error) {
    // Whoever is refused has signed out; the screens lead away from here. All else is tried again.
    if (isTrouble(error)) throw error;
  }
}

/** Calls `look` when calls of the player may have moved on unheard. */
export function useOwnMissed(look: () => void): void {
  useEffect(() => {
    globalThis.addEventListener(OWN_MISSED, look);
    return () => globalThis.removeEventListener(OWN_MISSED, look);
  }, [look]);
}

/** Calls `heard` with each of the player's calls that closes or resolves. */
export function useOwnCalls(heard: (call: CallView) => void): void {
  useEffect(() => {
    const hear = (event: Event) => {
      if (event instanceof CustomEvent) heard(callIn(event));
    };
    globalThis.addEventListener(CALL_CLOSE, hear);
    globalThis.addEventListener(CALL_RESOLVE, hear);
    return () => {
      globalThis.removeEventListener(CALL_CLOSE, hear);
      globalThis.removeEventListener(CALL_RESOLVE, hear);
    };
  }, [heard]);
}

function passOn(message: UserMessage): void {
  switch (message.eventType) {
    case "close_call":
      emit(CALL_CLOSE, message.detail.call);
      break;
    case "resolve_call":
      emit(CALL_RESOLVE, message.detail.call);
      announceBalance(message.detail.wallet);
      break;
    case "balance_change":
      announceBalance(message.detail.wallet);
      break;
    case "create":
      hearAndSay(message.detail);
      break;
    case "read":
      hearRead(message.detail);
      break;
    case "avatar":
      hearAvatar(message.detail);
      break;
  }
}

function emit(name: string, call: CallView): void {
  globalThis.dispatchEvent(new CustomEvent(name, { detail: { call } }));
}

function callIn(event: CustomEvent<{ call: CallView }>): CallView {
  return event.detail.call;
}
