import type { Logger } from "pino";
import { createBatcher } from "#src/base/batcher.ts";
import type { RedisClient } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import {
  findStreamOffsets,
  isNewer,
  type OffsetMessage,
  parsePublished,
  readMissedAfter,
} from "#src/base/streams/stream-offsets.ts";
import { within } from "#src/base/within.ts";
import type { Protocol } from "./frames.ts";
import { openLines, type StreamLines } from "./stream-lines.ts";

/** A subscription that Redis has not confirmed by then fails, and its client asks again. */
const READY_WITHIN_MS = 5_000;

/** More than a history has. */
const HELD_BACK_MAX = 1_000;

const RECOVERY_RETRY_MS = 100;
const GAPS_AT_ONCE = 100;
const DELIVERED_AFTER_MS = 2;
const DELIVERED_WITHIN_MS = 1_000;
/** How many streams one command subscribes to. */
const SUBSCRIBED_AT_ONCE = 256;
/** A command that waits for Redis does not hold up the next one. */
const SLOW_MS = 50;

export type StreamSubscriberDeps = { env: { redisUrl: string }; redis: RedisClient; log: Logger };

type Listeners = {
  /** Called for each message and each group of its stream, in the order of the stream. */
  deliver: (group: StreamGroup, message: OffsetMessage, audience: number) => void;
  /** Called for each control message on `channel`, which is always subscribed and has no history. */
  control: (text: string) => void;
  channel: string;
};

/**
 * This process's subscription to the streams in use. After a lost connection it subscribes again and reads the missed messages from
 * the history. Each message is delivered once and in order.
 */
export class StreamSubscriber {
  readonly #deps: StreamSubscriberDeps;
  readonly #listeners: Listeners;
  readonly #followed = new Map<string, FollowedStream>();
  #lines: StreamLines | null = null;
  /** Settles when the control channel is subscribed; null where nothing waits for that. */
  #controlReady: Promise<void> | null = null;
  /** How many recoveries are under way. */
  #recovering = 0;
  #stopped = false;

  constructor(deps: StreamSubscriberDeps, listeners: Listeners) {
    this.#deps = deps;
    this.#listeners = listeners;
  }

  /** Opens the connection if it is not open yet. */
  start(): void {
    if (this.#lines !== null) return;
    this.#lines = openLines(this.#deps, {
      message: (channel, text) => this.#receive(channel, text),
      lost: (streams) => this.#holdBack(streams),
    });
    this.#followControl();
  }

  /** False while messages cannot arrive, because the connection is lost, and while those that were missed are not read yet. */
  get isComplete(): boolean {
    return this.#lines?.connected === true && this.#recovering === 0;
  }

  /**
   * Adds one subscription. Resolves to its group when Redis has confirmed the stream; rejects if Redis is away for too long. All
   * streams of the same moment are subscribed together.
   */
  async follow(stream: string, form: FrameForm): Promise<StreamGroup> {
    this.start();
    const existing = this.#followed.get(stream);
    const followed = existing ?? createFollowedStream();
    if (existing === undefined) {
      this.#followed.set(stream, followed);
      const subscribed = this.#deps.redis.isCluster
        ? this.#subscribeAll([stream])
        : StreamSubscriber.#subscribe(this, stream);
      followed.ready = subscribed.then(() => void (followed.ready = null));
    }
    const group = groupWithRoom(followed.groups, stream, form);
    group.size += 1;
    try {
      if (followed.ready !== null) await untilReady(followed.ready);
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
    const { stream, name } = group;
    const followed = this.#followed.get(stream);
    followed?.groups.delete(name);
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

  groupsOf(stream: string): StreamGroup[] {
    return [...(this.#followed.get(stream)?.groups.values() ?? [])];
  }

  stop(): void {
    this.#stopped = true;
    this.#lines?.stop();
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
    if (followed.length > 0) await this.#untilSubscribed(followed);
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
    if (left.length > 0) await this.#lines?.unsubscribe(left);
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
    else holdBack(followed.heldBack, message);
  }

  #deliver(followed: FollowedStream, message: OffsetMessage): void {
    if (!isNewer(message, followed.last)) return;
    const { epoch, offset } = message;
    // The epoch that is known already: that of the message is a part of its text, which would be kept with it.
    followed.last = { epoch: followed.last?.epoch === epoch ? followed.last.epoch : epoch, offset };
    const audience = audienceOf(followed.groups);
    for (const group of followed.groups.values()) this.#listeners.deliver(group, message, audience);
  }

  /** @param streams null: all. */
  #holdBack(streams: readonly string[] | null): void {
    if (this.#stopped) return;
    const lost = new Map<string, OffsetMessage[]>();
    for (const stream of streams ?? this.#followed.keys()) {
      const followed = this.#followed.get(stream);
      if (followed === undefined) continue;
      followed.heldBack = [...(followed.heldBack ?? [])];
      lost.set(stream, followed.heldBack);
    }
    if (streams === null || streams.includes(this.#listeners.channel)) this.#followControl();
    this.#recovering += 1;
    void this.#recover(lost).then(() => (this.#recovering -= 1));
  }

  /** Subscribes to the control channel: one attempt at a time, also when the connection is lost several times. */
  #followControl(): void {
    if (this.#controlReady !== null) return;
    this.#controlReady = this.#untilSubscribed([this.#listeners.channel])
      // It fails only after `stop`.
      .catch(() => undefined)
      .finally(() => {
        this.#controlReady = null;
      });
  }

  /** Subscribes to these streams; retries while Redis is away, and as long as one of them is followed. */
  async #untilSubscribed(streams: readonly string[]): Promise<void> {
    for (;;) {
      try {
        await this.#lines?.subscribe(streams);
        return;
      } catch (error) {
        const isFollowed = streams.some(
          (each) => each === this.#listeners.channel || this.#followed.has(each),
        );
        if (this.#stopped || !isFollowed) throw error;
        this.#deps.log.debug({ err: error }, "streams could not be subscribed; trying again");
        await Bun.sleep(RECOVERY_RETRY_MS);
      }
    }
  }

  /** @param lost what each stream holds back since this loss. A stream that is lost again is left to that recovery. */
  async #recover(lost: ReadonlyMap<string, OffsetMessage[]>): Promise<void> {
    while (!this.#stopped) {
      const gaps = [...this.#followed]
        .filter(([stream, { heldBack }]) => heldBack !== null && lost.get(stream) === heldBack)
        .slice(0, GAPS_AT_ONCE);
      if (gaps.length === 0) return;
      try {
        // ioredis may subscribe again by itself. Subscribing once more says when that is done.
        await this.#lines?.subscribe(gaps.map(([stream]) => stream));
        await Promise.all(gaps.map(([stream, followed]) => this.#fillGap(stream, followed)));
      } catch (error) {
        this.#deps.log.debug({ err: error }, "missed messages could not be read; trying again");
        await Bun.sleep(RECOVERY_RETRY_MS);
      }
    }
  }

  /** Delivers the missed messages of a stream from its history, then those that were held back meanwhile. */
  async #fillGap(stream: string, followed: FollowedStream): Promise<void> {
    const { heldBack, last } = followed;
    const missed =
      last === null ? [] : (await readMissedAfter(this.#deps.redis, stream, { after: last })).messages;
    // Lost again meanwhile: what comes after that is for the next recovery.
    if (heldBack === null || followed.heldBack !== heldBack) return;
    followed.heldBack = null;
    for (const message of [...missed, ...heldBack]) this.#deliver(followed, message);
  }
}

/** A stream that this process is subscribed to. */
type FollowedStream = {
  groups: StreamGroups;
  /** Settles when Redis has confirmed the subscription: no message published from then on is missed. Null from then on. */
  ready: Promise<void> | null;
  /** The offset of the last message that arrived; null while it is not known. */
  last: StreamOffset | null;
  /** What arrived while older messages are still being read from the history, since each loss a new list; null at other times. */
  heldBack: OffsetMessage[] | null;
};

function createFollowedStream(): FollowedStream {
  return { groups: new Map(), ready: null, last: null, heldBack: null };
}

/** Rejects if Redis does not confirm the subscription in time. */
function untilReady(ready: Promise<void>): Promise<void> {
  const late = () => Promise.reject(new Error("Redis has not confirmed a stream in time"));
  return within(READY_WITHIN_MS, ready, late);
}

/** Adds a message to those that wait for the history. Of too many the oldest are left out: readers see the gap in the offsets. */
function holdBack(heldBack: OffsetMessage[], message: OffsetMessage): void {
  heldBack.push(message);
  if (heldBack.length > HELD_BACK_MAX) heldBack.splice(0, HELD_BACK_MAX / 2);
}

/** What the frames of a subscription depend on, besides its stream. */
export type FrameForm = { protocol: Protocol; identifier: string };

/** A message goes to so many sockets in one turn of the event loop. That takes some 8 ms; calls are answered between two turns. */
const SIZE_MAX = 1_000;

/**
 * Subscriptions of this process to one stream whose frames are equal: they have the same identifier text and protocol. A frame is
 * built and published once for a group, to its Bun topic. What thousands of sockets have in common is stored here, once.
 */
export type StreamGroup = Readonly<FrameForm> & {
  readonly stream: string;
  /** Unique in its stream. */
  readonly name: string;
  readonly topic: string;
  /** How many subscriptions it has. */
  size: number;
};

export type StreamGroups = Map<string, StreamGroup>;

/** Finds a group of this form that has room for one more subscription, or adds one to the groups of the stream. */
export function groupWithRoom(groups: StreamGroups, stream: string, form: FrameForm): StreamGroup {
  for (let number = 0; ; number += 1) {
    const { protocol, identifier } = form;
    const name = `${number} ${protocol} ${identifier}`;
    const group = groups.get(name) ?? {
      stream,
      protocol,
      identifier,
      name,
      topic: `${stream} ${name}`,
      size: 0,
    };
    if (group.size >= SIZE_MAX) continue;
    groups.set(name, group);
    return group;
  }
}

/** How many subscriptions the groups of a stream have together. */
export function audienceOf(groups: StreamGroups): number {
  return groups.values().reduce((sum, { size }) => sum + size, 0);
}
