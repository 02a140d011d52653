import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { connectRedis } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets, readHistory, type OffsetMessage, isNewer } from "#src/streams/stream-offsets.ts";

const RECOVERY_RETRY_MS = 100;
const GAPS_AT_ONCE = 100;

/** A stream that this process is subscribed to. */
type FollowedStream = {
  /** How many subscriptions each group has. */
  groups: Map<string, number>;
  /** Settles when Redis has confirmed the subscription: no message published from then on is missed. */
  ready: Promise<void>;
  /** The offset of the last message that arrived; null while it is not known. */
  last: StreamOffset | null;
  /** The messages that arrived while older ones are still being read from the history; null at other times. */
  heldBack: OffsetMessage[] | null;
};

export type StreamSubscriberDeps = { env: { redisUrl: string }; redis: Redis; log: Logger };

type Listeners = {
  /** Called for each message and each group that follows the stream, in the order of the stream. */
  deliver: (stream: string, group: string, message: OffsetMessage) => void;
  /** Called for each control message on `channel`, which is always subscribed and has no history. */
  control: (text: string) => void;
  channel: string;
};

/**
 * This process's subscription in Redis: one connection, subscribed to the streams in use. After a lost connection it
 * subscribes again and reads the missed messages from the history. Each message is delivered once and in order.
 */
export class StreamSubscriber {
  readonly #deps: StreamSubscriberDeps;
  readonly #listeners: Listeners;
  readonly #followed = new Map<string, FollowedStream>();
  #subscriber: Redis | null = null;
  /** Counts the losses of the connection, so that an older recovery stops. */
  #losses = 0;

  constructor(deps: StreamSubscriberDeps, listeners: Listeners) {
    this.#deps = deps;
    this.#listeners = listeners;
  }

  /** Opens the connection if it is not open yet. Returns at once. */
  start(): void {
    if (this.#subscriber !== null) return;
    const subscriber = connectRedis(this.#deps.env.redisUrl, "subscribe");
    subscriber.on("message", (channel, text) => this.#receive(channel, text));
    subscriber.on("close", () => this.#holdBack());
    subscriber.on("ready", () => void this.#recover(this.#losses));
    this.#subscriber = subscriber;
    subscriber
      .subscribe(this.#listeners.channel)
      .catch((error: unknown) =>
        this.#deps.log.warn({ err: error }, "could not subscribe to the control channel"),
      );
  }

  /** Adds one subscription of a group. Resolves when Redis has confirmed the stream; waits while Redis is away. */
  async follow(stream: string, group: string): Promise<void> {
    this.start();
    const existing = this.#followed.get(stream);
    const followed = existing ?? { groups: new Map(), ready: Promise.resolve(), last: null, heldBack: null };
    if (existing === undefined) {
      this.#followed.set(stream, followed);
      followed.ready = this.#open(stream, followed);
    }
    followed.groups.set(group, (followed.groups.get(group) ?? 0) + 1);
    try {
      await followed.ready;
    } catch (error) {
      this.unfollow(stream, group);
      throw error;
    }
  }

  /** Removes one subscription of a group. A stream without subscriptions is unsubscribed. */
  unfollow(stream: string, group: string): void {
    const followed = this.#followed.get(stream);
    if (followed === undefined) return;
    const remaining = (followed.groups.get(group) ?? 0) - 1;
    if (remaining > 0) followed.groups.set(group, remaining);
    else followed.groups.delete(group);
    if (followed.groups.size > 0) return;
    this.#followed.delete(stream);
    // It fails if the connection is lost; then there is nothing to unsubscribe.
    this.#subscriber?.unsubscribe(stream).catch(() => undefined);
  }

  /** The groups that follow a stream in this process. */
  groupsOf(stream: string): string[] {
    return [...(this.#followed.get(stream)?.groups.keys() ?? [])];
  }

  stop(): void {
    this.#losses += 1;
    this.#subscriber?.disconnect();
  }

  async #open(stream: string, followed: FollowedStream): Promise<void> {
    await this.#subscriber?.subscribe(stream);
    // Earlier messages are not for new subscriptions. The offset only tells where a later gap begins.
    const [offset] = await findStreamOffsets(this.#deps.redis, [stream]).catch(() => []);
    if (offset !== undefined && isNewer(offset, followed.last)) followed.last = offset;
  }

  #receive(channel: string, published: string): void {
    if (channel === this.#listeners.channel) {
      this.#listeners.control(published);
      return;
    }
    const followed = this.#followed.get(channel);
    const message = parsePublished(published);
    if (followed === undefined || message === null) return;
    if (followed.heldBack === null) this.#deliver(channel, followed, message);
    else followed.heldBack.push(message);
  }

  #deliver(stream: string, followed: FollowedStream, message: OffsetMessage): void {
    if (!isNewer(message, followed.last)) return;
    followed.last = { epoch: message.epoch, offset: message.offset };
    for (const group of followed.groups.keys()) this.#listeners.deliver(stream, group, message);
  }

  #holdBack(): void {
    this.#losses += 1;
    for (const followed of this.#followed.values()) followed.heldBack ??= [];
  }

  async #recover(loss: number): Promise<void> {
    while (loss === this.#losses && this.#subscriber !== null) {
      const gaps = [...this.#followed]
        .filter(([, followed]) => followed.heldBack !== null)
        .slice(0, GAPS_AT_ONCE);
      if (gaps.length === 0) return;
      try {
        // ioredis subscribes again by itself. Subscribing once more tells when that is done.
        await this.#subscriber.subscribe(...gaps.map(([stream]) => stream));
        await Promise.all(gaps.map(([stream, followed]) => this.#fillGap(stream, followed)));
      } catch (error) {
        this.#deps.log.debug(
          { err: error },
          "missed messages could not be read from the history; trying again",
        );
        await Bun.sleep(RECOVERY_RETRY_MS);
      }
    }
  }

  /** Delivers the missed messages of a stream from its history, then those that were held back meanwhile. */
  async #fillGap(stream: string, followed: FollowedStream): Promise<void> {
    const missed =
      followed.last === null ? [] : (await readHistory(this.#deps.redis, stream, followed.last)).messages;
    const heldBack = followed.heldBack ?? [];
    followed.heldBack = null;
    for (const message of [...missed, ...heldBack]) this.#deliver(stream, followed, message);
  }
}

/** Parses `<epoch>:<offset>|<message>`; null if it has another form. */
function parsePublished(published: string): OffsetMessage | null {
  const end = published.indexOf("|");
  const middle = published.indexOf(":");
  if (middle < 0 || end < middle) return null;
  const offset = Number(published.slice(middle + 1, end));
  return { epoch: published.slice(0, middle), offset, text: published.slice(end + 1) };
}
