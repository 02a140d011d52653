import { type Consumer, createConsumer, type Subscription } from "@rails/actioncable";
import type { Transmission } from "#src/cable/contract.ts";
import type { SessionMessage, UserMessage } from "#src/relay/schemas.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { forgetPrefetched } from "./browser/prefetch.ts";
import { watchSockets } from "./cable-sockets.ts";
import { isDismissed, updateConnection } from "./connection.ts";
import { clearSignInVisit, visitSignIn } from "./sign-in-visit.ts";
import { StreamFollower } from "./stream-follower.ts";

/**
 * Action Cable backs off slowly by design. A page that people look at reconnects sooner, but never before the 500 ms that
 * Action Cable itself waits after it has closed a silent connection.
 */
const RECONNECT_FIRST_MS = 500;
const RECONNECT_SPREAD_MS = 1_000;
const RECONNECT_GROWTH = 1.5;
const RECONNECT_MAX_MS = 6_000;
/** The reason of a disconnection that leads to the sign-in page. */
const SIGNED_OUT = "unauthorized";
const LEAVE_WITHIN_MS = 5_000;

type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
type ChannelName = keyof Messages;
type ChannelParams = { channel: ChannelName; id: string };
export type Listener<Message> = {
  /** Called with every message in order, each once. None is left out unless `missed` is called. */
  received: (message: Message) => void;
  /** Messages may have been lost that the history no longer has: the page must load its data again. */
  missed: () => void;
  /** Subscribed, for the first time or again. */
  connected?: () => void;
  /** The server refused the subscription: no message will come. */
  rejected?: () => void;
};
type IncomingMessage = Transmission<never>;
type SharedSubscription = {
  subscription: Subscription;
  follower: StreamFollower<never>;
  listeners: Set<Listener<never>>;
  connected: boolean;
  rejected: boolean;
};

let consumer: Consumer | null = null;
let address = "";
const subscriptions = new Map<string, SharedSubscription>();
/**
 * Channels that this page has subscribed to. Only the first subscription starts at the offset of the page; a later one
 * follows a later load.
 */
const subscribedBefore = new Set<string>();
/** The page is left: nobody sees it, and it opens no socket. */
let paused = false;
let reconnectAttempts = 0;
let reconnectTimer: ReturnType<typeof setTimeout> | undefined;

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

function keyOf({ channel, id }: ChannelParams): string {
  return `${channel}:${id}`;
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

function updateRejected(): void {
  updateConnection({ rejected: [...subscriptions.values()].some(({ rejected }) => rejected) });
}

function subscribe(url: string, params: ChannelParams, offset: StreamOffset | null): SharedSubscription {
  const listeners = new Set<Listener<never>>();
  // The server keeps to the contract, so the browser does not validate the message.
  const deliver = (message: never) => {
    if (params.channel === "UserChannel") forgetPrefetched();
    for (const listener of listeners) listener.received(message);
  };
  const follower = new StreamFollower<never>(offset, {
    deliver,
    requestSince: (after) => subscription.perform("since", { ...after }),
    missed: () => {
      forgetPrefetched();
      for (const listener of listeners) listener.missed();
    },
  });
  const subscription = consumerOf(url).subscriptions.create(params, {
    connected: () => {
      entry.connected = true;
      reconnectAttempts = 0;
      clearSignInVisit();
      updateConnection({ connected: true });
      for (const listener of listeners) listener.connected?.();
      follower.connected();
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
    received: (message: IncomingMessage) =>
      isChatMessage(message) ? deliver(message) : follower.received(message),
  });
  const entry: SharedSubscription = { listeners, follower, connected: false, rejected: false, subscription };
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
    opening: stopReconnecting,
    dismissed: stayAway,
    closed: () => {
      updateConnection({ connected: false });
      reconnectSoon();
    },
  });
  consumer = createConsumer(url);
  address = url;
  globalThis.addEventListener("offline", handleOffline);
  globalThis.addEventListener("online", handleOnline);
  return consumer;
}

/** Closes the connection of a page that is left. */
export function pauseCable(): void {
  paused = true;
  stopReconnecting();
  consumer?.disconnect();
}

/** Connects again: the page is back. Its subscriptions request what they have missed. */
export function resumeCable(): void {
  paused = false;
  reconnectAttempts = 0;
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

/** The network is back: connect at once. A socket that survived reports nothing, so ask it for what was missed. */
function handleOnline(): void {
  updateConnection({ network: true });
  if (isDismissed()) return;
  reconnectAttempts = 0;
  if (consumer?.connect() === true) return;
  for (const { connected, follower } of subscriptions.values()) if (connected) follower.connected();
}

/**
 * After a socket has closed: opens the next one sooner than Action Cable would. One timer serves all subscriptions. Without
 * a network it waits for the browser's "online" event. A page that was told to stay away never comes back.
 */
function reconnectSoon(): void {
  if (isDismissed() || paused || !navigator.onLine) return;
  stopReconnecting();
  const waitMs =
    Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * RECONNECT_GROWTH ** reconnectAttempts) +
    Math.random() * RECONNECT_SPREAD_MS;
  reconnectAttempts += 1;
  reconnectTimer = setTimeout(() => consumer?.connect(), waitMs);
}

function stopReconnecting(): void {
  clearTimeout(reconnectTimer);
}
