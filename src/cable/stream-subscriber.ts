import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { createBatcher } from "#src/base/batcher.ts";
import { connectRedis } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets, readHistory, type OffsetMessage, isNewer } from "#src/streams/stream-offsets.ts";
import { createGroup, type FrameForm, nameOfForm, type StreamGroup } from "./stream-group.ts";

const RECOVERY_RETRY_MS = 100;
const GAPS_AT_ONCE = 100;
const DELIVERED_AFTER_MS = 2;
const DELIVERED_WITHIN_MS = 1_000;
/** How many streams one command subscribes to. */
const SUBSCRIBED_AT_ONCE = 256;
/** A command that waits for Redis does not hold up the next one. */
const SLOW_MS = 50;

/** A stream that this process is subscribed to. */
type FollowedStream = {
  /** By the name of their form. */
  groups: Map<string, StreamGroup>;
  /** Settles when Redis has confirmed the subscription: no message published from then on is missed. */
  ready: Promise<void>;
  /** The offset of the last message that arrived; null while it is not known. */
  last: StreamOffset | null;
  /** The messages that arrived while older ones are still being read from the history; null at other times. */
  heldBack: OffsetMessage[] | null;
};

export type StreamSubscriberDeps = { env: { redisUrl: string }; redis: Redis; log: Logger };

type Listeners = {
  /** Called for each message and each group that follows its stream, in the order of the stream. */
  deliver: (group: StreamGroup, message: OffsetMessage) => void;
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

  /** False while messages cannot arrive, because the connection is lost. */
  get connected(): boolean {
    return this.#subscriber?.status === "ready";
  }

  /**
   * Adds one subscription. Resolves to its group when Redis has confirmed the stream; waits while Redis is away. All streams of
   * the same moment are subscribed together.
   */
  async follow(stream: string, form: FrameForm): Promise<StreamGroup> {
    this.start();
    const existing = this.#followed.get(stream);
    const followed: FollowedStream = existing ?? {
      groups: new Map(),
      ready: Promise.resolve(),
      last: null,
      heldBack: null,
    };
    if (existing === undefined) {
      this.#followed.set(stream, followed);
      followed.ready = StreamSubscriber.#subscribe(this, stream);
    }
    const name = nameOfForm(form);
    const group = followed.groups.get(name) ?? createGroup(stream, form);
    followed.groups.set(name, group);
    group.size += 1;
    try {
      await followed.ready;
    } catch (error) {
      this.unfollow(group);
      throw error;
    }
    return group;
  }

  /** Removes one subscription. A stream without subscriptions is unsubscribed. */
  unfollow(group: StreamGroup): void {
    group.size -= 1;
    if (group.size > 0) return;
    const { stream } = group;
    const followed = this.#followed.get(stream);
    followed?.groups.delete(nameOfForm(group));
    if (followed?.groups.size !== 0) return;
    this.#followed.delete(stream);
    // It fails if the connection is lost; then there is nothing to unsubscribe.
    StreamSubscriber.#unsubscribe(this, stream).catch(() => undefined);
  }

  /** Waits until this process has heard these streams up to these offsets, which it was sent already; no longer than a second. */
  async untilDelivered(offsets: ReadonlyMap<string, StreamOffset>): Promise<void> {
    const isBehind = ([stream, offset]: [string, StreamOffset]) =>
      isNewer(offset, this.#followed.get(stream)?.last ?? null);
    const untilMs = performance.now() + DELIVERED_WITHIN_MS;
    while ([...offsets].some(isBehind) && performance.now() < untilMs) await Bun.sleep(DELIVERED_AFTER_MS);
  }

  /** The groups that follow a stream in this process. */
  groupsOf(stream: string): StreamGroup[] {
    return [...(this.#followed.get(stream)?.groups.values() ?? [])];
  }

  stop(): void {
    this.#losses += 1;
    this.#subscriber?.disconnect();
  }

  static readonly #subscribe = createBatcher(
    SUBSCRIBED_AT_ONCE,
    (subscriber: StreamSubscriber, streams: readonly string[]) => subscriber.#subscribeAll(streams),
    { collects: true, slowMs: SLOW_MS },
  );
  static readonly #unsubscribe = createBatcher(
    SUBSCRIBED_AT_ONCE,
    (subscriber: StreamSubscriber, streams: readonly string[]) => subscriber.#unsubscribeAll(streams),
    { collects: true, slowMs: SLOW_MS },
  );

  async #subscribeAll(streams: readonly string[]): Promise<void[]> {
    const followed = streams.filter((stream) => this.#followed.has(stream));
    if (followed.length > 0) await this.#subscriber?.subscribe(...followed);
    // Earlier messages are not for new subscriptions. The offset only tells where a later gap begins.
    const offsets = await findStreamOffsets(this.#deps.redis, followed).catch(() => []);
    for (const [index, stream] of followed.entries()) this.#startAt(stream, offsets[index]);
    return streams.map(() => undefined);
  }

  #startAt(stream: string, offset: StreamOffset | undefined): void {
    const followed = this.#followed.get(stream);
    if (offset !== undefined && followed !== undefined && isNewer(offset, followed.last))
      followed.last = offset;
  }

  /** Leaves those that nobody has followed again. */
  async #unsubscribeAll(streams: readonly string[]): Promise<void[]> {
    const left = streams.filter((stream) => !this.#followed.has(stream));
    if (left.length > 0) await this.#subscriber?.unsubscribe(...left);
    return streams.map(() => undefined);
  }

  #receive(channel: string, published: string): void {
    if (channel === this.#listeners.channel) {
      this.#listeners.control(published);
      return;
    }
    const followed = this.#followed.get(channel);
    const message = parsePublished(published);
    if (followed === undefined || message === null) return;
    if (followed.heldBack === null) this.#deliver(followed, message);
    else followed.heldBack.push(message);
  }

  #deliver(followed: FollowedStream, message: OffsetMessage): void {
    if (!isNewer(message, followed.last)) return;
    followed.last = { epoch: message.epoch, offset: message.offset };
    for (const group of followed.groups.values()) this.#listeners.deliver(group, message);
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
    for (const message of [...missed, ...heldBack]) this.#deliver(followed, message);
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
