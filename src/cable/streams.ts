import type { Redis } from "ioredis";
import type { Logger } from "pino";
import { connectRedis } from "#src/redis.ts";
import { findLatestId, findMissed, isAfter, type Heard } from "./history.ts";

const RECOVERY_RETRY_MS = 100;

/** A stream that somebody in this process listens to. */
type Followed = {
  /** How many subscriptions there are under each spelling of the identifier. */
  followers: Map<string, number>;
  /** Settles once Redis has confirmed: nothing published from then on is missed. */
  ready: Promise<void>;
  /** The id of the last message that was heard, null while it is not known. */
  lastId: string | null;
  /** What came while the gap before it was still open; null in ordinary times. */
  held: Heard[] | null;
};

export type StreamsDeps = { env: { redisUrl: string }; redis: Redis; log: Logger };

type Listeners = {
  /** Called for each message and each spelling, in the stream's order. */
  deliver: (stream: string, identifier: string, text: string) => void;
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
  async follow(stream: string, identifier: string): Promise<void> {
    this.start();
    const known = this.#followed.get(stream);
    const followed = known ?? { followers: new Map(), ready: Promise.resolve(), lastId: null, held: null };
    if (known === undefined) {
      this.#followed.set(stream, followed);
      followed.ready = this.#open(stream, followed);
    }
    followed.followers.set(identifier, (followed.followers.get(identifier) ?? 0) + 1);
    try {
      await followed.ready;
    } catch (error) {
      this.unfollow(stream, identifier);
      throw error;
    }
  }

  /** Takes one subscription away; a stream that nobody listens to is left. */
  unfollow(stream: string, identifier: string): void {
    const followed = this.#followed.get(stream);
    if (followed === undefined) return;
    const left = (followed.followers.get(identifier) ?? 0) - 1;
    if (left > 0) followed.followers.set(identifier, left);
    else followed.followers.delete(identifier);
    if (followed.followers.size > 0) return;
    this.#followed.delete(stream);
    // It may fail when the connection is gone: then there is nothing to leave.
    this.#subscriber?.unsubscribe(stream).catch(() => undefined);
  }

  stop(): void {
    this.#losses += 1;
    this.#subscriber?.disconnect();
  }

  async #open(stream: string, followed: Followed): Promise<void> {
    await this.#subscriber?.subscribe(stream);
    // What was published before is not for those who come now; the id only says where a later gap begins.
    const latest = await findLatestId(this.#deps.redis, stream).catch(() => null);
    if (latest !== null && (followed.lastId === null || isAfter(latest, followed.lastId)))
      followed.lastId = latest;
  }

  #hear(channel: string, published: string): void {
    if (channel === this.#listeners.channel) {
      this.#listeners.announce(published);
      return;
    }
    const followed = this.#followed.get(channel);
    const end = published.indexOf("|");
    if (followed === undefined || end < 0) return;
    const heard = { id: published.slice(0, end), text: published.slice(end + 1) };
    if (followed.held === null) this.#pass(channel, followed, heard);
    else followed.held.push(heard);
  }

  #pass(stream: string, followed: Followed, { id, text }: Heard): void {
    followed.lastId = id;
    for (const identifier of followed.followers.keys()) this.#listeners.deliver(stream, identifier, text);
  }

  #holdBack(): void {
    this.#losses += 1;
    for (const followed of this.#followed.values()) followed.held ??= [];
  }

  async #recover(loss: number): Promise<void> {
    while (loss === this.#losses && this.#subscriber !== null) {
      const gaps = [...this.#followed].filter(([, followed]) => followed.held !== null);
      if (gaps.length === 0) return;
      try {
        // ioredis subscribes again by itself; asking once more tells when that is done.
        await this.#subscriber.subscribe(...gaps.map(([stream]) => stream));
        await this.#close(gaps);
        return;
      } catch (error) {
        this.#deps.log.debug({ err: error }, "the streams' gap stays open a little longer");
        await Bun.sleep(RECOVERY_RETRY_MS);
      }
    }
  }

  /** Fills the gap of each stream from its history, then lets pass what came after. */
  async #close(gaps: [string, Followed][]): Promise<void> {
    const known = gaps.flatMap(([stream, { lastId }]) =>
      lastId === null ? [] : [{ stream, after: lastId }],
    );
    const missed = await findMissed(this.#deps.redis, known);
    for (const [stream, followed] of gaps) {
      const held = followed.held ?? [];
      const filled = missed.get(stream) ?? [];
      followed.held = null;
      const lastFilled = filled.at(-1)?.id;
      for (const heard of filled) this.#pass(stream, followed, heard);
      for (const heard of held) {
        if (lastFilled === undefined || isAfter(heard.id, lastFilled)) this.#pass(stream, followed, heard);
      }
    }
  }
}
