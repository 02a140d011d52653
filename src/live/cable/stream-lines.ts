import type { Redis } from "ioredis";
import { channelOf, slotOf, streamKey, streamOf } from "#src/base/redis-keys.ts";
import { ownerOf, refreshSlots } from "#src/base/redis-script.ts";
import { connectNode, connectRedis, type RedisClient } from "#src/base/redis.ts";

// Decision: in a cluster messages are published to the node of their stream alone (SPUBLISH), so that its other nodes have no work
// with them. This process has a connection to each node whose streams it follows. ioredis can subscribe to such channels too, but
// does not say which of them it has lost for how long, and each gap must be known to be filled from the history.

/** What the connections report. */
type Listeners = {
  message: (stream: string, text: string) => void;
  /** Messages of these streams are missed from now on, until they are subscribed again; null: of all. */
  lost: (streams: readonly string[] | null) => void;
};

/** The connections through which this process receives the messages of streams. */
export type StreamLines = {
  /** False while some messages cannot arrive. */
  readonly connected: boolean;
  /**
   * Resolves when Redis has confirmed these streams: no message published from then on is missed. While Redis is away it waits or
   * rejects.
   */
  subscribe: (streams: readonly string[]) => Promise<void>;
  /** Rejects if the connection is lost; then there is nothing to unsubscribe. */
  unsubscribe: (streams: readonly string[]) => Promise<void>;
  stop: () => void;
};

type LineDeps = { env: { redisUrl: string }; redis: RedisClient };

/** Opens the connection, or in a cluster those that are needed later. */
export function openLines({ env: { redisUrl }, redis }: LineDeps, listeners: Listeners): StreamLines {
  return redis.isCluster && "slots" in redis
    ? new ShardedLines({ redisUrl, cluster: redis }, listeners)
    : openLine(redisUrl, listeners);
}

function openLine(redisUrl: string, { message, lost }: Listeners): StreamLines {
  const redis = connectRedis(redisUrl, "subscribe");
  const channelsOf = (streams: readonly string[]) => streams.map((stream) => channelOf(redis, stream));
  const prefixLength = channelOf(redis, "").length;
  redis.on("message", (channel: string, text: string) => message(channel.slice(prefixLength), text));
  redis.on("close", () => lost(null));
  return {
    get connected() {
      return redis.status === "ready";
    },
    subscribe: async (streams) => void (await redis.subscribe(...channelsOf(streams))),
    unsubscribe: async (streams) => void (await redis.unsubscribe(...channelsOf(streams))),
    stop: () => redis.disconnect(),
  };
}

/** A connection to a node of a cluster, and the streams that were last subscribed through it. */
type Line = { redis: Redis; opened: Promise<void>; streams: Set<string> };

type Cluster = Extract<RedisClient, { slots: unknown }>;

class ShardedLines implements StreamLines {
  readonly #deps: { redisUrl: string; cluster: Cluster };
  readonly #listeners: Listeners;
  /** By `host:port`. */
  readonly #lines = new Map<string, Line>();
  readonly #lineByStream = new Map<string, Line>();

  constructor(deps: { redisUrl: string; cluster: Cluster }, listeners: Listeners) {
    this.#deps = deps;
    this.#listeners = listeners;
  }

  get connected(): boolean {
    const lines = [...this.#lines.values()];
    return lines.length > 0 && lines.every(({ redis }) => redis.status === "ready");
  }

  async subscribe(streams: readonly string[]): Promise<void> {
    try {
      await Promise.all(this.#partsOf(streams).map((part) => this.#subscribeSlot(part)));
    } catch (error) {
      await refreshSlots(this.#deps.cluster);
      throw error;
    }
  }

  async unsubscribe(streams: readonly string[]): Promise<void> {
    const parts = this.#partsOf(streams).map(async (part) => {
      const line = this.#lineByStream.get(part[0] ?? "");
      for (const stream of part) this.#leave(stream);
      if (line?.redis.status === "ready") await line.redis.sunsubscribe(...this.#keysOf(part));
    });
    await Promise.all(parts);
  }

  stop(): void {
    for (const { redis } of this.#lines.values()) redis.disconnect();
    this.#lines.clear();
  }

  async #subscribeSlot(streams: readonly string[]): Promise<void> {
    const keys = this.#keysOf(streams);
    const line = this.#lineTo(ownerOf(this.#deps.cluster, keys[0] ?? ""));
    await line.opened;
    if (line.redis.status !== "ready") throw away();
    for (const stream of streams) {
      if (this.#lineByStream.get(stream) !== line) this.#leave(stream);
      this.#lineByStream.set(stream, line);
      line.streams.add(stream);
    }
    await line.redis.ssubscribe(...keys);
  }

  #lineTo(owner: string): Line {
    const known = this.#lines.get(owner);
    if (known !== undefined) return known;
    const portAt = owner.lastIndexOf(":");
    if (portAt < 0) throw new Error("The node of the cluster that has the stream is not known.");
    const host = { host: owner.slice(0, portAt), port: Number(owner.slice(portAt + 1)) };
    const redis = connectNode(this.#deps.redisUrl, host);
    const line = { redis, opened: firstAttempt(redis), streams: new Set<string>() };
    const lost = () => {
      if (line.streams.size > 0) this.#listeners.lost([...line.streams]);
    };
    redis.on("smessage", (key: string, text: string) => this.#listeners.message(streamOf(key), text));
    redis.on("close", lost);
    // The node has given a slot away.
    redis.on("moved", lost);
    this.#lines.set(owner, line);
    return line;
  }

  /** A line without streams is closed: its node may be gone for good. */
  #leave(stream: string): void {
    const line = this.#lineByStream.get(stream);
    if (line === undefined) return;
    this.#lineByStream.delete(stream);
    line.streams.delete(stream);
    if (line.streams.size > 0) return;
    for (const [owner, each] of this.#lines) if (each === line) this.#lines.delete(owner);
    line.redis.disconnect();
  }

  #keysOf(streams: readonly string[]): string[] {
    return streams.map((stream) => streamKey(this.#deps.cluster, stream));
  }

  /** One command subscribes to channels of one slot. */
  #partsOf(streams: readonly string[]): string[][] {
    const parts = Map.groupBy(streams, (stream) => slotOf(streamKey(this.#deps.cluster, stream)));
    return [...parts.values()];
  }
}

/** Resolves with the first connection, and when that fails. */
function firstAttempt(redis: Redis): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  redis.once("ready", resolve);
  redis.once("close", resolve);
  return promise;
}

const away = () => new Error("A node of the cluster is away.");
