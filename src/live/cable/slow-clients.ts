import type { ServerWebSocket } from "bun";
import { cable } from "#src/base/instruments.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import { delivery, type Protocol } from "./frames.ts";

/** A client is slow while more than this waits in its socket. Bytes. */
const SLOW_FROM = 64 * 1_024;
/** A slow client whose backlog grows beyond this is disconnected; it reconnects and catches up. Characters. */
const BACKLOG_MAX = 1_024 * 1_024;

export type Delivery = {
  topic: string;
  stream: string;
  protocol: Protocol;
  identifier: string;
  message: OffsetMessage;
};
/** The socket of a client, and the topics that it is to receive. */
export type SocketReader = {
  socket: Pick<ServerWebSocket<unknown>, "sendText" | "subscribe" | "unsubscribe" | "getBufferedAmount">;
  topics: () => string[];
  tooSlow: () => void;
};

/** True if the client has left too much unread. */
export function isSlow(socket: Pick<ServerWebSocket<unknown>, "getBufferedAmount">): boolean {
  return socket.getBufferedAmount() >= SLOW_FROM;
}

/**
 * The clients that read more slowly than messages arrive. A slow client gets only the latest value of pools, balances and
 * counts. Example: ten pool updates become one.
 *
 * It leaves its topics, its messages wait here in a backlog, and it joins its topics again once it has read the backlog.
 */
export class SlowClients {
  readonly #backlogs = new Map<SocketReader, Backlog>();

  get size(): number {
    return this.#backlogs.size;
  }

  /** Makes a client slow if too much waits in its socket. */
  watch(reader: SocketReader): void {
    if (this.#backlogs.has(reader) || !isSlow(reader.socket)) return;
    this.#backlogs.set(reader, new Backlog());
    for (const topic of reader.topics()) reader.socket.unsubscribe(topic);
  }

  /** Adds a message to the backlogs of the slow clients of its topic. All others get it through the topic. */
  buffer(message: Delivery): void {
    for (const reader of this.#backlogs.keys())
      if (reader.topics().includes(message.topic)) this.bufferFor(reader, message);
  }

  /** Adds a message to the backlog of one slow client. */
  bufferFor(reader: SocketReader, { topic, stream, protocol, identifier, message }: Delivery): void {
    const backlog = this.#backlogs.get(reader);
    if (backlog === undefined) return;
    const key = replacementKeyOf(message.text);
    const emptied = { ...message, text: withoutContent(message.text) };
    backlog.push({
      frame: delivery(protocol, identifier, { stream, message }),
      offsetOnly: delivery(protocol, identifier, { stream, message: emptied }),
      replacementKey: key === null ? null : `${topic} ${key}`,
    });
    if (backlog.length <= BACKLOG_MAX) return;
    this.remove(reader);
    cable.tooSlow.inc();
    reader.tooSlow();
  }

  /** To be called when a client has read from its socket. Sends more of its backlog. */
  drained(reader: SocketReader): void {
    const backlog = this.#backlogs.get(reader);
    if (backlog === undefined) return;
    while (!isSlow(reader.socket)) {
      const frame = backlog.shift();
      if (frame === null) {
        this.remove(reader);
        for (const topic of reader.topics()) reader.socket.subscribe(topic);
        return;
      }
      reader.socket.sendText(frame);
    }
  }

  remove(reader: SocketReader): void {
    this.#backlogs.delete(reader);
  }

  /** True for a slow client, which must not join topics now. */
  has(reader: SocketReader): boolean {
    return this.#backlogs.has(reader);
  }
}

/** A frame that waits for a slow client. */
type BufferedFrame = {
  frame: string;
  /** A newer frame with the same key replaces this one; null: it is never replaced. */
  replacementKey: string | null;
  /** The frame that stays after a replacement: the message's offset without its content. */
  offsetOnly: string;
};

/**
 * The frames that wait for one slow client, in their order. The latest pool, balance or count replaces older ones, of which
 * only the offset stays, so that the client sees no gap in the offsets.
 */
export class Backlog {
  readonly #frames: BufferedFrame[] = [];
  readonly #latest = new Map<string, BufferedFrame>();
  #length = 0;

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  push(added: BufferedFrame): void {
    const { replacementKey: key } = added;
    const older = key === null ? undefined : this.#latest.get(key);
    if (older !== undefined) {
      this.#length += older.offsetOnly.length - older.frame.length;
      older.frame = older.offsetOnly;
    }
    if (key !== null) this.#latest.set(key, added);
    this.#frames.push(added);
    this.#length += added.frame.length;
  }

  /** Removes and returns the next frame; null if none waits. */
  shift(): string | null {
    const next = this.#frames.shift();
    if (next === undefined) return null;
    this.#length -= next.frame.length;
    if (next.replacementKey !== null && this.#latest.get(next.replacementKey) === next)
      this.#latest.delete(next.replacementKey);
    return next.frame;
  }
}

// The text is matched and not parsed, because a broadcast may pass here once for each slow client.
const REPLACEABLE =
  /^\{"epoch":"[^"]*","offset":\d+,"sourceType":"(?:Spot","eventType":"pool","detail":\{"eventId":\d+|Wallet","eventType":"balance_change"|(?:Presence|Reaction)","eventType":"count")/;
const OFFSET_PREFIX = /^\{"epoch":"[^"]*","offset":\d+/;

/** The same for two messages if the newer replaces the older: pools of one event, balances, counts of players and of reactions. Otherwise null. */
export function replacementKeyOf(text: string): string | null {
  const offset = OFFSET_PREFIX.exec(text)?.[0];
  const head = REPLACEABLE.exec(text)?.[0];
  return offset === undefined || head === undefined ? null : head.slice(offset.length);
}

/** The message with its offset alone: `{"epoch":"a.1","offset":7}`. */
export function withoutContent(text: string): string {
  return `${OFFSET_PREFIX.exec(text)?.[0] ?? "{"}}`;
}
