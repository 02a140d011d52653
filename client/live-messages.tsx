import { useEffect } from "react";
import type { UserMessage } from "#src/cable/contract.ts";
import type { CallView } from "#src/calls/contract.ts";
import { listen } from "./cable.ts";
import { usePage } from "./context.ts";
import { hearAndSay } from "./notifications/hear-and-say.ts";
import { hearAvatar } from "./users/own-avatar.ts";
import { announceBalance } from "./wallet/wallet-state.tsx";

/** Local events for every part of the page, with `detail: { call }`. The third, balance:update, is the wallet's. */
export const CALL_CLOSE = "call:close";
export const CALL_RESOLVE = "call:resolve";

/** Hears what concerns the signed-in player alone, on every page, and passes it on as local events. Draws nothing. */
export function LiveMessages() {
  const { cableUrl, viewer } = usePage();
  const gid = viewer?.gid;
  useEffect(() => {
    if (gid === undefined) return;
    return listen(
      cableUrl,
      { channel: "UserChannel", id: gid },
      { connected: () => undefined, received: passOn },
    );
  }, [cableUrl, gid]);
  return null;
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
