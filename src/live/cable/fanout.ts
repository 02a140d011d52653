import type { Server } from "bun";
import { cable } from "#src/base/instruments.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import { CROWD_FROM, CrowdBuffer } from "./crowd-buffer.ts";
import { delivery, presenceFrame, transmission } from "./frames.ts";
import { HeldMessages } from "./held-messages.ts";
import { type Delivery, SlowClients } from "./slow-clients.ts";
import type { StreamGroup } from "./stream-group.ts";

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
