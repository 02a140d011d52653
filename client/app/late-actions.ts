import type { ActionFunction } from "react-router";
import { actOnNotifications } from "#client/notifications/act-on-notifications.ts";
import { actOnAction } from "#client/screens/action/act-on-action.ts";
import { playAsGuest } from "#client/screens/guest/play-as-guest.ts";
import { topUp } from "#client/wallet/send-top-up.ts";

/** What forms outside the screens of a chunk do. In a browser with script most are never sent, so it fetches them when it is idle. */
export const lateActions = {
  actOnAction,
  actOnNotifications,
  playAsGuest,
  topUp,
} satisfies Record<string, ActionFunction>;
