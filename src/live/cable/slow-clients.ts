import type { ServerWebSocket } from "bun";
import { cable } from "#src/base/instruments.ts";
import type { OffsetMessage } from "#src/base/streams/stream-offsets.ts";
import { Backlog, replacementKeyOf, withoutContent } from "./backlog.ts";
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
