import { type Consumer, createConsumer, type Subscription } from "@rails/actioncable";
import type { Transmission } from "#src/cable/contract.ts";
import type { SessionMessage, UserMessage } from "#src/relay/schemas.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { Following } from "./following.ts";
import { markLink } from "./sync.ts";

/** Action Cable's own back-off is slow by design; a page that people look at comes back sooner. */
const RETURN_FIRST_MS = 300;
const RETURN_SPREAD_MS = 1_200;
const RETURN_GROWTH = 1.5;
const RETURN_MAX_MS = 6_000;

type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
type ChannelName = keyof Messages;
type Params = { channel: ChannelName; id: string };
export type Listener<Message> = {
  /** Takes what is said, in order, each message once; nothing is left out unless `missed` says so. */
  received: (message: Message) => void;
  /** Something may have been missed that cannot be had any more: what the page shows is to be loaded again. */
  missed: () => void;
  /** Subscribed, for the first time or again. */
  connected?: () => void;
};
type Heard = Transmission<never>;
type Shared = {
  subscription: Subscription;
  following: Following<never>;
  listeners: Set<Listener<never>>;
  connected: boolean;
};

let consumer: Consumer | null = null;
let address = "";
const shared = new Map<string, Shared>();
/** What the page was written at is where the first subscription goes on from; a later one follows a later load. */
const begun = new Set<string>();
let returns = 0;
let returning: ReturnType<typeof setTimeout> | undefined;

/**
 * Listens on a channel. All listeners of one channel and id share one subscription: two with the same identifier would
 * never both be told that they are connected.
 * @param params `place`: where its stream stood when the page was written; null where nobody has said.
 * @returns ends it.
 */
export function listen<Name extends ChannelName>(
  url: string,
  { channel, id, place }: { channel: Name; id: string; place: StreamOffset | null },
  listener: Listener<Messages[Name]>,
): () => void {
  const key = keyOf({ channel, id });
  const known = shared.get(key);
  const entry = known ?? subscribe(url, { channel, id }, begun.has(key) ? null : place);
  begun.add(key);
  entry.listeners.add(listener);
  if (entry.connected) {
    listener.connected?.();
    listener.missed();
  }
  return () => {
    entry.listeners.delete(listener);
    // Whoever listens again in the same turn (React mounting twice) keeps the subscription.
    setTimeout(() => leave(key, entry));
  };
}

/** The chat is a stream of its own on the session's channel; who shows it looks at it anew after each connect. */
function isOfChat(message: object): message is never {
  return "sourceType" in message && message.sourceType === "Message";
}

function keyOf({ channel, id }: Params): string {
  return `${channel}:${id}`;
}

/**
 * Performs an action on a channel that somebody on this page listens to.
 * @returns false where there is no connection: nothing was sent.
 */
export function perform(params: Params, action: string, fields: Record<string, unknown>): boolean {
  const entry = shared.get(keyOf(params));
  return entry?.connected === true && entry.subscription.perform(action, fields);
}

function leave(key: string, entry: Shared): void {
  if (entry.listeners.size > 0 || shared.get(key) !== entry) return;
  shared.delete(key);
  entry.subscription.unsubscribe();
}

function subscribe(url: string, params: Params, place: StreamOffset | null): Shared {
  const listeners = new Set<Listener<never>>();
  // Our own server is the other end and keeps to the contract, so the shape is taken on trust.
  const pass = (message: never) => {
    for (const listener of listeners) listener.received(message);
  };
  const following = new Following<never>(place, {
    pass,
    ask: (after) => subscription.perform("since", { ...after }),
    missed: () => {
      for (const listener of listeners) listener.missed();
    },
  });
  const subscription = consumerOf(url).subscriptions.create(params, {
    connected: () => {
      entry.connected = true;
      returns = 0;
      clearTimeout(returning);
      returning = undefined;
      markLink({ connected: true });
      for (const listener of listeners) listener.connected?.();
      following.connected();
    },
    disconnected: ({ willAttemptReconnect }: { willAttemptReconnect: boolean | undefined }) => {
      entry.connected = false;
      markLink({ connected: false });
      if (willAttemptReconnect === true) returnSoon();
      // Told to stay away: the look finds out why, and where to.
      else for (const listener of listeners) listener.missed();
    },
    received: (message: Heard) => (isOfChat(message) ? pass(message) : following.received(message)),
  });
  const entry: Shared = { listeners, following, connected: false, subscription };
  shared.set(keyOf(params), entry);
  return entry;
}

/** The page's one connection. An address other than before means another server, and what led to the first ends. */
function consumerOf(url: string): Consumer {
  if (consumer !== null && address === url) return consumer;
  consumer?.disconnect();
  consumer = createConsumer(url);
  address = url;
  globalThis.addEventListener("offline", offline);
  globalThis.addEventListener("online", comeBack);
  // Nobody is told of a first attempt that fails.
  returnSoon();
  return consumer;
}

function offline(): void {
  markLink({ network: false });
}

/** The network is back: connect at once. A socket that lived through it says nothing, so that it is asked what was missed. */
function comeBack(): void {
  markLink({ network: true });
  returns = 0;
  if (consumer?.connect() === true) return;
  for (const { connected, following } of shared.values()) if (connected) following.connected();
}

/**
 * Tries to connect sooner than Action Cable itself would, until it is connected. One timer for all subscriptions. Without a
 * network it is not tried: the browser says when there is one again.
 */
function returnSoon(): void {
  if (returning !== undefined || !navigator.onLine) return;
  const waitMs =
    Math.min(RETURN_MAX_MS, RETURN_FIRST_MS * RETURN_GROWTH ** returns) + Math.random() * RETURN_SPREAD_MS;
  returns += 1;
  returning = setTimeout(() => {
    returning = undefined;
    consumer?.connect();
    returnSoon();
  }, waitMs);
}
