import type { Subscription } from "@rails/actioncable";
import { isToLookAgain, lookAgain } from "#client/base/browser/look-again.ts";
import type { SessionMessage, UserMessage } from "#src/live/relay/schemas.ts";
import { mayHaveCaughtUp, updateConnection } from "./connection.ts";
import type { StreamFollower } from "./stream-follower.ts";

/** The page's subscriptions, and what is done with all of them. */

export type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
export type ChannelName = keyof Messages;
export type ChannelParams = { channel: ChannelName; id: string };
export type Listener<Message> = {
  /** Called with every message in order, each once. None is left out unless `missed` is called. */
  received: (message: Message) => void;
  /** Messages may have been lost that the history no longer has: the page must load its data again. See lookAgain. */
  missed: () => void;
  /** Subscribed, for the first time or again; then together with `missed`. */
  connected?: () => void;
  /** The server refused the subscription: no message will come. */
  rejected?: () => void;
};
export type SharedSubscription = {
  subscription: Subscription;
  follower: StreamFollower<never>;
  listeners: Set<Listener<never>>;
  connected: boolean;
  rejected: boolean;
  connectedBefore: boolean;
};

export const subscriptions = new Map<string, SharedSubscription>();

export function keyOf({ channel, id }: ChannelParams): string {
  return `${channel}:${id}`;
}

export function updateRejected(): void {
  updateConnection({ rejected: [...subscriptions.values()].some(({ rejected }) => rejected) });
}

/** A new epoch of one stream is the end of most others: the page looks for what it has missed of all of them together. */
export function askOtherStreams(): void {
  for (const { connected, listeners, follower } of subscriptions.values())
    if (connected && !isToLookAgain(listeners)) follower.connected();
}

/** Lets all screens load what they show. */
export function loadAgain(): void {
  for (const { listeners } of subscriptions.values()) lookAgain(listeners, "missed", { spread: false });
}

/** Asks a socket that may have survived for what was missed. Until it answers, the page may show what is old. */
export function askConnected(): void {
  for (const { connected, follower } of subscriptions.values()) if (connected) follower.connected();
  updateConnection({ behind: true });
}

/** The page is not behind any more once all its streams have told it everything, and what they no longer had is loaded. */
export function endCatchingUp(): void {
  if (!mayHaveCaughtUp()) return;
  const isTold = [...subscriptions.values()].every(
    ({ connected, rejected, follower, listeners }) =>
      rejected || (connected && !follower.isRequesting && !isToLookAgain(listeners)),
  );
  if (isTold) updateConnection({ behind: false });
}
