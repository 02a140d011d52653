import type { Server } from "bun";
import { cable } from "#src/base/instruments.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import { delivery, presenceFrame, transmission } from "./frames.ts";
import { type Delivery, replacementKeyOf, SlowClients, withoutContent } from "./slow-clients.ts";
import type { StreamGroup } from "./stream-subscriber.ts";

/** The live messages of some topics that wait until a client has its history. */
export type Hold = { topics: readonly string[]; messages: Delivery[] };

/** Holds back live messages for clients that are reading a history, so that these do not overtake it. */
export class HeldMessages {
  readonly #holds = new Map<string, Set<Hold>>();

  /** Begins to hold back the messages of these topics. The client has left them. */
  hold(topics: readonly string[]): Hold {
    const hold: Hold = { topics, messages: [] };
    for (const topic of topics) {
      const holds = this.#holds.get(topic) ?? new Set();
      this.#holds.set(topic, holds.add(hold));
    }
    return hold;
  }

  /** Adds a message to all holds of its topic. */
  buffer(message: Delivery): void {
    for (const hold of this.#holds.get(message.topic) ?? []) hold.messages.push(message);
  }

  /** Ends a hold. @returns the messages that have waited, in order. */
  release(hold: Hold): Delivery[] {
    for (const topic of hold.topics) {
      const holds = this.#holds.get(topic);
      holds?.delete(hold);
      if (holds?.size === 0) this.#holds.delete(topic);
    }
    return hold.messages;
  }
}

/** Among fewer sockets nothing waits. */
export const CROWD_FROM = 400;
/** How long a message may wait for each socket of its stream: a second for 10,000. */
const WAIT_MS_PER_SOCKET = 0.1;
const WAIT_MS_MAX = 1_000;
/** Where messages take long to pass, the next ones wait for so many times as long: then they take a sixth of the time, and calls the rest. */
const REST_PER_PASS = 5;
const REST_MS_MAX = 4_000;
/** To so many sockets messages pass in one turn of the event loop. */
const SOCKETS_A_TURN = 1_000;
/** What nobody acts upon at once: pools, leaders, counts, the chat, that all are paid, and what else is new about the session. */
const CAN_WAIT =
  /^\{"epoch":"[^"]*","offset":\d+,"sourceType":"(?:(?:Spot|Score|Presence|Reaction|Message)"|Event","eventType":"pay"|Session","eventType":"update")/;

/** The messages of a topic, in their order. `size`: how many sockets it has. */
type Topic = { deliveries: Delivery[]; size: number };

/**
 * Messages to a crowd. Each time that a socket gets something costs a system call and wakes a phone, and no call is answered
 * meanwhile. So messages that nobody acts upon at once wait for each other, and a pool or a count that has a newer one by then passes as
 * its offset alone. Every other message passes at once, with those of its topic that wait. A turn of the event loop takes a part of the
 * sockets, so that calls are answered in between. A process that is busy sends what can wait more rarely.
 */
export class CrowdBuffer {
  readonly #pass: (delivery: Delivery) => void;
  readonly #nowMs: () => number;
  readonly #waiting = new Map<string, Topic>();
  readonly #ready = new Map<string, Topic>();
  #timer: Timer | undefined;
  #isTurnSet = false;
  #readySinceMs = 0;
  /** How long the last messages took to pass, with what was done between their turns. */
  #tookMs = 0;

  constructor(pass: (delivery: Delivery) => void, { nowMs = () => performance.now() } = {}) {
    this.#pass = pass;
    this.#nowMs = nowMs;
  }

  /** @param about size: how many sockets the topic has. audience: how many its stream has in this process. */
  push(delivery: Delivery, { size, audience }: { size: number; audience: number }): void {
    const { topic, message } = delivery;
    const canWait = CAN_WAIT.test(message.text);
    const deliveries = this.#waiting.get(topic)?.deliveries ?? [];
    emptyReplaced(deliveries, delivery);
    deliveries.push(delivery);
    this.#waiting.set(topic, { deliveries, size });
    if (!canWait) this.#makeReady(topic);
    else this.#timer ??= setTimeout(() => this.#makeAllReady(), this.#waitMs(audience));
  }

  #waitMs(audience: number): number {
    const usualMs = Math.min(WAIT_MS_MAX, audience * WAIT_MS_PER_SOCKET);
    return Math.max(usualMs, Math.min(REST_MS_MAX, this.#tookMs * REST_PER_PASS));
  }

  /** True while messages of the topic have not passed yet. */
  has(topic: string): boolean {
    return this.#waiting.has(topic) || this.#ready.has(topic);
  }

  /** Passes the messages of a topic now. */
  flushTopic(topic: string): void {
    if (this.#waiting.has(topic)) this.#makeReady(topic);
    const ready = this.#ready.get(topic);
    this.#ready.delete(topic);
    for (const delivery of ready?.deliveries ?? []) this.#pass(delivery);
  }

  /** Passes all messages now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    for (const topic of [...this.#ready.keys(), ...this.#waiting.keys()]) this.flushTopic(topic);
  }

  #makeAllReady(): void {
    this.#timer = undefined;
    for (const topic of this.#waiting.keys()) this.#makeReady(topic);
  }

  #makeReady(topic: string): void {
    const waiting = this.#waiting.get(topic);
    if (waiting === undefined) return;
    this.#waiting.delete(topic);
    if (this.#ready.size === 0) this.#readySinceMs = this.#nowMs();
    const ready = this.#ready.get(topic);
    this.#ready.set(topic, { ...waiting, deliveries: [...(ready?.deliveries ?? []), ...waiting.deliveries] });
    this.#setTurn();
  }

  #setTurn(): void {
    if (this.#isTurnSet) return;
    this.#isTurnSet = true;
    setImmediate(() => this.#passSome());
  }

  #passSome(): void {
    this.#isTurnSet = false;
    let sockets = 0;
    for (const [topic, { size }] of this.#ready) {
      if (sockets > 0 && sockets + size > SOCKETS_A_TURN) break;
      sockets += size;
      this.flushTopic(topic);
    }
    if (this.#ready.size > 0) this.#setTurn();
    else this.#tookMs = this.#nowMs() - this.#readySinceMs;
  }
}

/** Leaves only the offset of the message that the newer one replaces. */
function emptyReplaced(waiting: Delivery[], { message: { text } }: Delivery): void {
  const key = replacementKeyOf(text);
  if (key === null) return;
  const at = waiting.findLastIndex(({ message }) => replacementKeyOf(message.text) === key);
  const older = waiting[at];
  if (older === undefined) return;
  waiting[at] = { ...older, message: { ...older.message, text: withoutContent(older.message.text) } };
}

/**
 * Groups bursts of items. An item after a quiet time passes at once, together with all others of the same event loop turn.
 * Items of a burst pass together, at most `withinMs` later. What is sent together costs each socket one system call.
 */
class BurstBuffer<Item> {
  readonly #pass: (item: Item) => void;
  readonly #withinMs: number;
  #items: Item[] = [];
  #flushedAtMs = 0;
  #timer: Timer | undefined;
  /** A flush is queued as a microtask. */
  #flushing = false;

  constructor(withinMs: number, pass: (item: Item) => void) {
    this.#withinMs = withinMs;
    this.#pass = pass;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#flushing || this.#timer !== undefined) return;
    const waitMs = this.#flushedAtMs + this.#withinMs - performance.now();
    this.#flushing = waitMs <= 0;
    if (this.#flushing) queueMicrotask(() => this.flush());
    else this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Passes all items now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = false;
    this.#flushedAtMs = performance.now();
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#pass(item);
  }
}

/** Messages that arrive within this time are sent together. */
const BURST_MS = 5;

/** Sends each message of a stream to the sockets of this process. */
export class Fanout {
  readonly slowClients = new SlowClients();
  readonly heldMessages = new HeldMessages();
  readonly #buffer = new BurstBuffer<Delivery>(BURST_MS, (each) => this.#publish(each));
  readonly #crowd = new CrowdBuffer((each) => this.#publish(each));
  #server: Server<unknown> | null = null;

  attach(server: Server<unknown>): void {
    this.#server = server;
  }

  /** @param audience how many subscriptions the stream has in this process. */
  deliver(group: StreamGroup, message: OffsetMessage, audience: number): void {
    const { topic, stream, protocol, identifier, size } = group;
    cable.frames.inc(size);
    cable.bytes.inc(size * message.text.length);
    const delivery = { topic, stream, protocol, identifier, message };
    if (audience < CROWD_FROM) {
      this.#crowd.flushTopic(topic);
      return this.#buffer.push(delivery);
    }
    // What the topic got before it had a crowd.
    if (!this.#crowd.has(topic)) this.#buffer.flush();
    this.#crowd.push(delivery, { size, audience });
  }

  /** Tells the extended clients among these groups of a stream who joined or left. */
  publishPresence(groups: Iterable<StreamGroup>, presence: object): void {
    for (const { protocol, topic, identifier } of groups)
      if (protocol === "ext") this.#server?.publish(topic, presenceFrame(identifier, presence));
  }

  /** Sends a message that has no offset. A slow client, and one that waits for its history, does not get it. */
  publishMessage(groups: Iterable<StreamGroup>, message: object): void {
    const text = JSON.stringify(message);
    for (const { topic, identifier } of groups) this.#server?.publish(topic, transmission(identifier, text));
  }

  /** Sends the buffered messages now. */
  flush(): void {
    this.#crowd.flush();
    this.#buffer.flush();
  }

  #publish(each: Delivery): void {
    const { topic, stream, protocol, identifier, message } = each;
    this.#server?.publish(topic, delivery(protocol, identifier, { stream, message }));
    this.heldMessages.buffer(each);
    if (this.slowClients.size > 0) this.slowClients.buffer(each);
  }
}
