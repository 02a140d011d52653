import type { Consumer, Subscription } from "@rails/actioncable";
import { adapters, createConsumer } from "@rails/actioncable/app/assets/javascripts/actioncable.esm.js";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import type { Transmission } from "#src/live/cable/contract.ts";
import type { SessionMessage, UserMessage } from "#src/live/relay/schemas.ts";
import { forgetPrefetched } from "../api/prefetch.ts";
import { streamDelay } from "../api/stream-delay.ts";
import {
  isDismissed,
  isSilent,
  mayHaveCaughtUp,
  onConnectionChange,
  updateConnection,
} from "./connection.ts";
import { createAsking, isToLookAgain, refetchMissed } from "./refetch-missed.ts";
import { clearSignInVisit, forgetOwnSignOut, visitSignIn } from "./sign-in-visit.ts";
import { StreamFollower } from "./stream-follower.ts";

// Decision: Action Cable connects and reconnects this page as published. Its times are those that the page has to keep, and with
// AnyCable's client the first scripts would be 5 KB larger. What it lacks comes beside it, by its public interface: a return that is
// sooner than its own (`connect`, which does nothing while a socket is open), a socket that says what it hears (its adapter), and
// offsets in the messages. No socket and no timer of it is held back.

const PROTOCOL = "actioncable-v1-json";
/** Browsers wait for the answer to a handshake for minutes, and Action Cable takes a socket that waits for one that works. */
const HANDSHAKE_WITHIN_MS = 5_000;
/** A ping of the server comes every 3 s. A page that has heard nothing for longer and is seen again was asleep. */
const ASLEEP_AFTER_MS = 4_000;
/** Two pings of the server. Action Cable's own check finds the same between 6 and 18 s. */
const SILENT_AFTER_MS = 6_000;

/**
 * Action Cable backs off slowly by design. A page that people look at reconnects sooner, but never before the 500 ms that
 * Action Cable itself waits after it has closed a silent connection.
 */
const RECONNECT_FIRST_MS = 500;
const RECONNECT_SPREAD_MS = 1_000;
const RECONNECT_GROWTH = 1.5;
/** With the spread, a page is back within 5 s after its server is. */
const RECONNECT_MAX_MS = 4_000;

/** The reason of a disconnection that leads to the sign-in page. */
const SIGNED_OUT = "unauthorized";
const LEAVE_WITHIN_MS = 5_000;

const subscriptions = new Map<string, SharedSubscription>();
/** Channels subscribed to before: only the first subscription starts at the offset of the page. */
const subscribedBefore = new Set<string>();

let consumer: Consumer | null = null;
let address = "";
/** The secret of a dock: the one header of a handshake that a page can set names it as a protocol. */
let secret = "";
/** The page is left: nobody sees it, and it keeps no socket. */
let paused = false;
/** The connection was lost on this device alone, and not by all pages at the same moment. */
let lostAlone = false;
let attempts = 0;
let reconnecting: ReturnType<typeof setTimeout> | undefined;
let newest: WebSocket | null = null;
let heardAtMs = 0;
/** Ends a handshake without an answer, and then finds an open socket that brings nothing. */
let socketTimer: ReturnType<typeof setTimeout> | undefined;

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
  // A page that is told to stay away opens no socket for another screen.
  if (isDismissed() && url === address) return () => {};
  // Another server has other streams.
  if (url !== address) subscribedBefore.clear();
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

/** Chat messages have a stream of their own on the session's channel, which the follower of the game must not count. */
function isChatMessage(message: object): message is never {
  return "sourceType" in message && message.sourceType === "Message";
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
      refetchMissed(listeners, "missed", { spread: newEpoch });
      if (newEpoch) askOtherStreams();
    },
    caughtUp: endCatchingUp,
  });
  const subscription = consumerOf(url).subscriptions.create(params, {
    connected: () => {
      entry.connected = true;
      attempts = 0;
      clearSignInVisit();
      if (entry.connectedBefore) refetchMissed(listeners, "connected", { spread: !lostAlone });
      else for (const listener of listeners) listener.connected?.();
      entry.connectedBefore = true;
      follower.connected();
      updateConnection({ connected: true });
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
  newest = null;
  adapters.WebSocket = class extends WebSocket {
    constructor(to: string | URL, protocols?: string | string[]) {
      super(to, protocols);
      watch(this);
    }
  };
  document.addEventListener("visibilitychange", lookWhetherAwake);
  onConnectionChange(createAsking(loadAgain));
  onConnectionChange(endCatchingUp);
  consumer = createConsumer(url);
  if (secret !== "") consumer.addSubProtocol(secret);
  address = url;
  globalThis.addEventListener("offline", handleOffline);
  globalThis.addEventListener("online", handleOnline);
  return consumer;
}

/** Action Cable tells its subscriptions neither of pings, nor the reason of a disconnection, nor of a first attempt that fails. */
function watch(socket: WebSocket): void {
  // The close of the one before may never be reported.
  if (newest !== null) lose();
  newest = socket;
  clearTimeout(socketTimer);
  socketTimer = setTimeout(() => socket.close(), HANDSHAKE_WITHIN_MS);
  socket.addEventListener("open", () => {
    hear(socket);
    if (socket.protocol !== PROTOCOL) stayAway("");
    // A timer of Action Cable's own may have opened it.
    if (isDismissed() || paused) consumer?.disconnect();
  });
  socket.addEventListener("message", ({ data }: MessageEvent<string>) => {
    hear(socket);
    const reason = dismissalIn(data);
    if (reason !== null) stayAway(reason);
  });
  socket.addEventListener("close", () => {
    if (newest !== socket) return;
    clearTimeout(socketTimer);
    lostAlone = false;
    lose();
    reconnectSoon();
  });
}

function hear(socket: WebSocket): void {
  if (newest !== socket) return;
  heardAtMs = Date.now();
  waitForMore();
  if (isSilent()) updateConnection({ silent: false });
}

function waitForMore(): void {
  clearTimeout(socketTimer);
  const dueMs = Date.now() + SILENT_AFTER_MS;
  socketTimer = setTimeout(() => {
    // A timer of a page that was asleep is late. Nothing is known about its socket yet.
    if (Date.now() - dueMs > ASLEEP_AFTER_MS) wakeUp();
    else updateConnection({ silent: true });
  }, SILENT_AFTER_MS);
}

function wakeUp(): void {
  waitForMore();
  askConnected();
}

function lookWhetherAwake(): void {
  const isOld = Date.now() - heardAtMs > ASLEEP_AFTER_MS;
  if (document.visibilityState === "visible" && isOld && newest?.readyState === WebSocket.OPEN) wakeUp();
}

type DisconnectFrame = { type?: string; reason?: string; reconnect?: boolean };

/** The reason of a disconnection without reconnection; null for all other frames. */
function dismissalIn(text: string): string | null {
  // Most frames are broadcasts, which are parsed once, by Action Cable.
  if (!text.includes('"disconnect"')) return null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A frame of Action Cable's protocol; each field may be missing.
  const { type, reason = "", reconnect = false } = JSON.parse(text) as DisconnectFrame;
  return type === "disconnect" && !reconnect ? reason : null;
}

/** For a page that connects by the link of a dock, before it listens. */
export function connectAsDock(key: string): void {
  secret = key;
}

/** Closes the connection of a page that is left. */
export function pauseCable(): void {
  paused = true;
  clearTimeout(reconnecting);
  consumer?.disconnect();
}

/** Connects again: the page is back. Its subscriptions request what they have missed. */
export function resumeCable(): void {
  paused = false;
  forgetOwnSignOut();
  lostAlone = true;
  attempts = 0;
  if (!isDismissed()) consumer?.connect();
}

function stayAway(reason: string): void {
  if (isDismissed()) return;
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
  attempts = 0;
  if (consumer?.connect() !== true) askConnected();
}

/** Nothing comes any more until the next socket is subscribed. */
function lose(): void {
  for (const entry of subscriptions.values()) entry.connected = false;
  updateConnection({ connected: false });
}

/** After a socket has closed. Without a network the page waits for the browser's "online" event. */
function reconnectSoon(): void {
  if (isDismissed() || paused || !navigator.onLine) return;
  clearTimeout(reconnecting);
  const waitMs = Math.min(RECONNECT_MAX_MS, RECONNECT_FIRST_MS * RECONNECT_GROWTH ** attempts);
  attempts += 1;
  reconnecting = setTimeout(() => consumer?.connect(), waitMs + Math.random() * RECONNECT_SPREAD_MS);
}

/** The page's subscriptions, and what is done with all of them. */

type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
type ChannelName = keyof Messages;
type ChannelParams = { channel: ChannelName; id: string };
type Listener<Message> = {
  /** Called with every message in order, each once. None is left out unless `missed` is called. */
  received: (message: Message) => void;
  /** Messages may have been lost that the history no longer has: the page must load its data again. See refetchMissed. */
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
  for (const { listeners } of subscriptions.values()) refetchMissed(listeners, "missed", { spread: false });
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
