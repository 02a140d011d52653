import { type Consumer, createConsumer, type Subscription } from "@rails/actioncable";
import type { SessionMessage, UserMessage } from "#src/cable/contract.ts";
import { markLink } from "./sync.ts";

/** Action Cable's own back-off is slow by design; a page that people look at comes back sooner. */
const RETURN_FIRST_MS = 300;
const RETURN_SPREAD_MS = 1_200;
const RETURN_GROWTH = 1.5;
const RETURN_MAX_MS = 6_000;

type Messages = { SessionsChannel: SessionMessage; UserChannel: UserMessage };
type ChannelName = keyof Messages;
export type Listener<Message> = {
  /** Subscribed, for the first time or again: what came in between was missed. */
  connected: () => void;
  received: (message: Message) => void;
};
type Shared = { subscription: Subscription; listeners: Set<Listener<never>>; connected: boolean };

let consumer: Consumer | null = null;
const shared = new Map<string, Shared>();
let returns = 0;
let returning: ReturnType<typeof setTimeout> | undefined;

/**
 * Listens on a channel. All listeners of one channel and id share one subscription: two with the same identifier would
 * never both be told that they are connected.
 * @returns ends it.
 */
export function listen<Name extends ChannelName>(
  url: string,
  { channel, id }: { channel: Name; id: string },
  listener: Listener<Messages[Name]>,
): () => void {
  const key = `${channel}:${id}`;
  const entry = shared.get(key) ?? subscribe(url, key, { channel, id });
  entry.listeners.add(listener);
  if (entry.connected) listener.connected();
  return () => {
    entry.listeners.delete(listener);
    // Whoever listens again in the same turn (React mounting twice) keeps the subscription.
    setTimeout(() => leave(key, entry));
  };
}

function leave(key: string, entry: Shared): void {
  if (entry.listeners.size > 0 || shared.get(key) !== entry) return;
  shared.delete(key);
  entry.subscription.unsubscribe();
}

function subscribe(url: string, key: string, params: { channel: ChannelName; id: string }): Shared {
  const listeners = new Set<Listener<never>>();
  const entry: Shared = {
    listeners,
    connected: false,
    subscription: consumerOf(url).subscriptions.create(params, {
      connected: () => {
        entry.connected = true;
        returns = 0;
        clearTimeout(returning);
        returning = undefined;
        markLink({ connected: true });
        for (const listener of listeners) listener.connected();
      },
      disconnected: ({ willAttemptReconnect }: { willAttemptReconnect: boolean | undefined }) => {
        entry.connected = false;
        markLink({ connected: false });
        if (willAttemptReconnect === true) returnSoon();
      },
      // Our own server is the other end and keeps to the contract, so the shape is taken on trust.
      received: (message: never) => {
        for (const listener of listeners) listener.received(message);
      },
    }),
  };
  shared.set(key, entry);
  return entry;
}

function consumerOf(url: string): Consumer {
  if (consumer !== null) return consumer;
  consumer = createConsumer(url);
  globalThis.addEventListener("offline", () => markLink({ network: false }));
  globalThis.addEventListener("online", comeBack);
  return consumer;
}

/** The network is back: connect at once. A socket that lived through it says nothing, so its listeners look for themselves. */
function comeBack(): void {
  markLink({ network: true });
  returns = 0;
  if (consumer?.connect() === true) return;
  for (const { connected, listeners } of shared.values()) {
    if (connected) for (const listener of listeners) listener.connected();
  }
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
