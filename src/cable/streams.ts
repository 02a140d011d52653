import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { connectRedis } from "#src/base/redis.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets, readHistory, type OffsetMessage, isNewer } from "#src/streams/stream-offsets.ts";

const RECOVERY_RETRY_MS = 100;
const GAPS_AT_ONCE = 100;

/** A stream that somebody in this process listens to. */
type Followed = {
  /** How many subscriptions there are under each name. */
  followers: Map<string, number>;
  /** Settles once Redis has confirmed: nothing published from then on is missed. */
  ready: Promise<void>;
  /** The place of the last message that was heard, null while it is not known. */
  last: StreamOffset | null;
  /** What came while the gap before it was still open; null in ordinary times. */
  held: OffsetMessage[] | null;
};

export type StreamsDeps = { env: { redisUrl: string }; redis: Redis; log: Logger };

type Listeners = {
  /** Called for each message and each name under which the stream is followed, in the stream's order. */
  deliver: (stream: string, follower: string, heard: OffsetMessage) => void;
  /** Called for what is published on `channel`, which is followed always and has no history. */
  announce: (text: string) => void;
  channel: string;
};

/**
 * This process's ear in Redis: one connection, subscribed to the streams in use. After it was cut off it subscribes again
 * and fetches from the history what was published meanwhile, in order and once.
 */
export class Streams {
  readonly #deps: StreamsDeps;
  readonly #listeners: Listeners;
  readonly #followed = new Map<string, Followed>();
  #subscriber: Redis | null = null;
  /** Goes up with every loss of the connection, so that an older recovery ends. */
  #losses = 0;

  constructor(deps: StreamsDeps, listeners: Listeners) {
    this.#deps = deps;
    this.#listeners = listeners;
  }

  /** Opens the connection, where it is not open yet. Returns at once. */
  start(): void {
    if (this.#subscriber !== null) return;
    const subscriber = connectRedis(this.#deps.env.redisUrl, "subscribe");
    subscriber.on("message", (channel, text) => this.#hear(channel, text));
    subscriber.on("close", () => this.#holdBack());
    subscriber.on("ready", () => void this.#recover(this.#losses));
    this.#subscriber = subscriber;
    subscriber
      .subscribe(this.#listeners.channel)
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "could not listen for disconnects"));
  }

  /** Adds one subscription and resolves when Redis has confirmed the stream. While Redis is away it waits. */
  async follow(stream: string, follower: string): Promise<void> {
    this.start();
    const known = this.#followed.get(stream);
    const followed = known ?? { followers: new Map(), ready: Promise.resolve(), last: null, held: null };
    if (known === undefined) {
      this.#followed.set(stream, followed);
      followed.ready = this.#open(stream, followed);
    }
    followed.followers.set(follower, (followed.followers.get(follower) ?? 0) + 1);
    try {
      await followed.ready;
    } catch (error) {
      this.unfollow(stream, follower);
      throw error;
    }
  }

  /** Takes one subscription away; a stream that nobody listens to is left. */
  unfollow(stream: string, follower: string): void {
    const followed = this.#followed.get(stream);
    if (followed === undefined) return;
    const left = (followed.followers.get(follower) ?? 0) - 1;
    if (left > 0) followed.followers.set(follower, left);
    else followed.followers.delete(follower);
    if (followed.followers.size > 0) return;
    this.#followed.delete(stream);
    // It may fail when the connection is gone: then there is nothing to leave.
    this.#subscriber?.unsubscribe(stream).catch(() => undefined);
  }

  /** The names under which a stream is followed here. */
  followersOf(stream: string): string[] {
    return [...(this.#followed.get(stream)?.followers.keys() ?? [])];
  }

  stop(): void {
    this.#losses += 1;
    this.#subscriber?.disconnect();
  }

  async #open(stream: string, followed: Followed): Promise<void> {
    await this.#subscriber?.subscribe(stream);
    // What was published before is not for those who come now; the place only says where a later gap begins.
    const [place] = await findStreamOffsets(this.#deps.redis, [stream]).catch(() => []);
    if (place !== undefined && isNewer(place, followed.last)) followed.last = place;
  }

  #hear(channel: string, published: string): void {
    if (channel === this.#listeners.channel) {
      this.#listeners.announce(published);
      return;
    }
    const followed = this.#followed.get(channel);
    const heard = readPublished(published);
    if (followed === undefined || heard === null) return;
    if (followed.held === null) this.#pass(channel, followed, heard);
    else followed.held.push(heard);
  }

  #pass(stream: string, followed: Followed, heard: OffsetMessage): void {
    if (!isNewer(heard, followed.last)) return;
    followed.last = { epoch: heard.epoch, offset: heard.offset };
    for (const follower of followed.followers.keys()) this.#listeners.deliver(stream, follower, heard);
  }

  #holdBack(): void {
    this.#losses += 1;
    for (const followed of this.#followed.values()) followed.held ??= [];
  }

  async #recover(loss: number): Promise<void> {
    while (loss === this.#losses && this.#subscriber !== null) {
      const gaps = [...this.#followed]
        .filter(([, followed]) => followed.held !== null)
        .slice(0, GAPS_AT_ONCE);
      if (gaps.length === 0) return;
      try {
        // ioredis subscribes again by itself; asking once more tells when that is done.
        await this.#subscriber.subscribe(...gaps.map(([stream]) => stream));
        await Promise.all(gaps.map(([stream, followed]) => this.#close(stream, followed)));
      } catch (error) {
        this.#deps.log.debug({ err: error }, "the streams' gap stays open a little longer");
        await Bun.sleep(RECOVERY_RETRY_MS);
      }
    }
  }

  /** Fills the gap of a stream from its history, then lets pass what came after. */
  async #close(stream: string, followed: Followed): Promise<void> {
    const missed =
      followed.last === null ? [] : (await readHistory(this.#deps.redis, stream, followed.last)).messages;
    const held = followed.held ?? [];
    followed.held = null;
    for (const heard of [...missed, ...held]) this.#pass(stream, followed, heard);
  }
}

/** `<epoch>:<offset>|<message>` */
function readPublished(published: string): OffsetMessage | null {
  const end = published.indexOf("|");
  const middle = published.indexOf(":");
  if (middle < 0 || end < middle) return null;
  const offset = Number(published.slice(middle + 1, end));
  return { epoch: published.slice(0, middle), offset, text: published.slice(end + 1) };
}
