import type { Consumer, Subscription } from "@rails/actioncable";
import { createConsumer } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import { forgetPrefetched } from "#client/base/api/prefetch.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { createReconnectTimer } from "#client/base/browser/reconnect-timer.ts";
import { createAsking } from "#client/base/live/ask-while-away.ts";
import { isToLookAgain, lookAgain } from "#client/base/live/look-again.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { Transmission } from "#src/live/cable/contract.ts";
import type { SessionMessage, UserMessage } from "#src/live/relay/schemas.ts";
import { watchSockets } from "./cable-sockets.ts";
import {
  isDismissed,
  isSilent,
  mayHaveCaughtUp,
  onConnectionChange,
  updateConnection,
} from "./connection.ts";
import { clearSignInVisit, forgetOwnSignOut, visitSignIn } from "./sign-in-visit.ts";
import { StreamFollower } from "./stream-follower.ts";

const subscriptions = new Map<string, SharedSubscription>();

/** The reason of a disconnection that leads to the sign-in page. */
const SIGNED_OUT = "unauthorized";
const LEAVE_WITHIN_MS = 5_000;

let consumer: Consumer | null = null;
let address = "";
/**
 * Channels that this page has subscribed to. Only the first subscription starts at the offset of the page; a later one
 * follows a later load.
 */
const subscribedBefore = new Set<string>();
/** The page is left: nobody sees it, and it opens no socket. */
let paused = false;
/** The connection was lost on this device alone, and not by all pages at the same moment. */
let lostAlone = false;
const reconnecting = createReconnectTimer(() => consumer?.connect());

/**
 * Listens on a channel. All listeners of one channel and id share one subscription, because Action Cable confirms only
 * one of two subscriptions with the same identifier.
 * @param params `offset`: the stream's offset when the page was rendered; null if unknown.
 * @returns stops listening.
 */
export function listen<Name extends ChannelName>(
  url: string,
  { channel, id, offset }: { channel: Name; id: string; offset: StreamOffset | null },
  listener: Listener<Messages[Name]>,
): () => void {
  const key = keyOf({ channel, id });
  const known = subscriptions.get(key);
  const entry =
    known === undefined || known.rejected
      ? subscribe(url, { channel, id }, subscribedBefore.has(key) ? null : offset)
      : known;
  subscribedBefore.add(key);
  entry.listeners.add(listener);
  if (entry.connected) {
    listener.connected?.();
    listener.missed();
  }
  return () => {
    entry.listeners.delete(listener);
    // A listener that is added in the same tick (React mounts twice) keeps the subscription.
    setTimeout(() => unsubscribeIfUnused(key, entry));
  };
}

/**
 * Chat messages have their own stream on the session's channel, with offsets of its own: the follower of the game must not
 * count them. The chat loads its newest messages again after each connect.
 */
function isChatMessage(message: object): message is never {
  return "sourceType" in message && message.sourceType === "Message";
}

/**
 * Performs an action on a channel that this page listens to.
 * @returns false without a connection: nothing was sent.
 */
export function perform(params: ChannelParams, action: string, fields: Record<string, unknown>): boolean {
  const entry = subscriptions.get(keyOf(params));
  return entry?.connected === true && entry.subscription.perform(action, fields);
}

function unsubscribeIfUnused(key: string, entry: SharedSubscription): void {
  if (entry.listeners.size > 0 || subscriptions.get(key) !== entry) return;
  subscriptions.delete(key);
  entry.subscription.unsubscribe();
  updateRejected();
}

function subscribe(url: string, params: ChannelParams, offset: StreamOffset | null): SharedSubscription {
  const listeners = new Set<Listener<never>>();
  // The server keeps to the contract, so the browser does not validate the message.
  const deliver = (message: never) => {
    if (params.channel === "UserChannel") forgetPrefetched();
    const notifyListeners = () => {
      for (const listener of listeners) listener.received(message);
    };
    streamDelay.show(notifyListeners, { stream: keyOf(params), message });
  };
  const follower = new StreamFollower<never>(offset, {
    deliver,
    requestSince: (after) => subscription.perform("since", { ...after }),
    missed: ({ newEpoch }) => {
      forgetPrefetched();
      lookAgain(listeners, "missed", { spread: newEpoch });
      if (newEpoch) askOtherStreams();
    },
    caughtUp: endCatchingUp,
  });
  const subscription = consumerOf(url).subscriptions.create(params, {
    connected: () => {
      entry.connected = true;
      reconnecting.reset();
      clearSignInVisit();
      if (entry.connectedBefore) lookAgain(listeners, "connected", { spread: !lostAlone });
      else for (const listener of listeners) listener.connected?.();
      entry.connectedBefore = true;
      follower.connected();
      updateConnection({ connected: true });
    },
    disconnected: () => {
      entry.connected = false;
      updateConnection({ connected: false });
    },
    rejected: () => {
      entry.rejected = true;
      updateRejected();
      for (const listener of listeners) listener.rejected?.();
    },
    received: (message: Transmission<never>) =>
      isChatMessage(message) ? deliver(message) : follower.received(message),
  });
  const entry: SharedSubscription = {
    listeners,
    follower,
    connected: false,
    rejected: false,
    connectedBefore: false,
    subscription,
  };
  subscriptions.set(keyOf(params), entry);
  updateRejected();
  return entry;
}

/** The page's one connection. Another address means another server: the old connection is closed. */
function consumerOf(url: string): Consumer {
  if (consumer !== null && address === url) return consumer;
  consumer?.disconnect();
  updateConnection({ dismissed: null });
  watchSockets({
    mayOpen: () => !isDismissed() && !paused,
    opening: reconnecting.stop,
    // The close of the one before may never be reported.
    replacing: () => updateConnection({ connected: false }),
    dismissed: stayAway,
    closed: () => {
      lostAlone = false;
      updateConnection({ connected: false });
      reconnectSoon();
    },
    silent: () => updateConnection({ silent: true }),
    awake: askConnected,
    heard: () => isSilent() && updateConnection({ silent: false }),
  });
  onConnectionChange(createAsking(document, loadAgain));
  onConnectionChange(endCatchingUp);
  consumer = createConsumer(url);
  address = url;
  globalThis.addEventListener("offline", handleOffline);
  globalThis.addEventListener("online", handleOnline);
  return consumer;
}

/** Closes the connection of a page that is left. */
export function pauseCable(): void {
  paused = true;
  reconnecting.stop();
  consumer?.disconnect();
}

/** Connects again: the page is back. Its subscriptions request what they have missed. */
export function resumeCable(): void {
  paused = false;
  forgetOwnSignOut();
  lostAlone = true;
  reconnecting.reset();
  if (!isDismissed()) consumer?.connect();
}

function stayAway(reason: string): void {
  const leaving = reason === SIGNED_OUT && visitSignIn();
  updateConnection({ dismissed: leaving ? "leaving" : "staying" });
  // The viewer may refuse to leave a form with unsaved changes.
  if (leaving) setTimeout(() => updateConnection({ dismissed: "staying" }), LEAVE_WITHIN_MS);
}

function handleOffline(): void {
  updateConnection({ network: false });
}

/** The network is back: connect at once. A socket may have survived: ask it for what was missed, and trust it with its answer. */
function handleOnline(): void {
  updateConnection({ network: true, silent: true });
  if (isDismissed()) return;
  lostAlone = true;
  reconnecting.reset();
  if (consumer?.connect() !== true) askConnected();
}

/** After a socket has closed. Without a network the page waits for the browser's "online" event. */
function reconnectSoon(): void {
  if (!isDismissed() && !paused && navigator.onLine) reconnecting.start();
}

/** The page's subscriptions, and what is done with all of them. */

type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
type ChannelName = keyof Messages;
type ChannelParams = { channel: ChannelName; id: string };
type Listener<Message> = {
  /** Called with every message in order, each once. None is left out unless `missed` is called. */
  received: (message: Message) => void;
  /** Messages may have been lost that the history no longer has: the page must load its data again. See lookAgain. */
  missed: () => void;
  /** Subscribed, for the first time or again; then together with `missed`. */
  connected?: () => void;
  /** The server refused the subscription: no message will come. */
  rejected?: () => void;
};
type SharedSubscription = {
  subscription: Subscription;
  follower: StreamFollower<never>;
  listeners: Set<Listener<never>>;
  connected: boolean;
  rejected: boolean;
  connectedBefore: boolean;
};

function keyOf({ channel, id }: ChannelParams): string {
  return `${channel}:${id}`;
}

function updateRejected(): void {
  updateConnection({ rejected: [...subscriptions.values()].some(({ rejected }) => rejected) });
}

/** A new epoch of one stream is the end of most others: the page looks for what it has missed of all of them together. */
function askOtherStreams(): void {
  for (const { connected, listeners, follower } of subscriptions.values())
    if (connected && !isToLookAgain(listeners)) follower.connected();
}

/** Lets all screens load what they show. */
function loadAgain(): void {
  for (const { listeners } of subscriptions.values()) lookAgain(listeners, "missed", { spread: false });
}

/** Asks a socket that may have survived for what was missed. Until it answers, the page may show what is old. */
function askConnected(): void {
  for (const { connected, follower } of subscriptions.values()) if (connected) follower.connected();
  updateConnection({ behind: true });
}

/** The page is not behind any more once all its streams have told it everything, and what they no longer had is loaded. */
function endCatchingUp(): void {
  if (!mayHaveCaughtUp()) return;
  const isTold = [...subscriptions.values()].every(
    ({ connected, rejected, follower, listeners }) =>
      rejected || (connected && !follower.isRequesting && !isToLookAgain(listeners)),
  );
  if (isTold) updateConnection({ behind: false });
}
