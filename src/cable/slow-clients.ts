import type { ServerWebSocket } from "bun";
import type { OffsetMessage } from "#src/streams/stream-offsets.ts";
import { Backlog, hollowOf, latestOf } from "./backlog.ts";
import { delivery, type Wire } from "./frames.ts";

/** A peer for which more than this waits in its socket reads slowly. Bytes. */
const SLOW_FROM = 64 * 1_024;
/** More than this does not wait for anybody: they come back and catch up. Characters. */
const BACKLOG_MAX = 1_024 * 1_024;

export type Delivery = {
  topic: string;
  stream: string;
  wire: Wire;
  identifier: string;
  heard: OffsetMessage;
};
/** A socket, and the topics it listens to. */
export type Reader = {
  socket: Pick<ServerWebSocket<unknown>, "sendText" | "subscribe" | "unsubscribe" | "getBufferedAmount">;
  topics: () => string[];
  tooSlow: () => void;
};

/**
 * The peers that read more slowly than they are told. They leave the topics, what they are told waits for them here, and they
 * join again once they have read it.
 */
export class SlowPeers {
  readonly #backlogs = new Map<Reader, Backlog>();

  get size(): number {
    return this.#backlogs.size;
  }

  /** Looks how much waits in a reader's socket. */
  watch(reader: Reader): void {
    if (this.#backlogs.has(reader) || reader.socket.getBufferedAmount() < SLOW_FROM) return;
    this.#backlogs.set(reader, new Backlog());
    for (const topic of reader.topics()) reader.socket.unsubscribe(topic);
  }

  /** Keeps a message for the slow readers of its topic; the others are told by the topic. */
  keep({ topic, stream, wire, identifier, heard }: Delivery): void {
    for (const [reader, backlog] of this.#backlogs) {
      if (!reader.topics().includes(topic)) continue;
      const hollow = { ...heard, text: hollowOf(heard.text) };
      backlog.push({
        frame: delivery(wire, identifier, { stream, heard }),
        hollow: delivery(wire, identifier, { stream, heard: hollow }),
        replaces: latestOf(heard.text) === null ? null : `${topic} ${latestOf(heard.text)}`,
      });
      if (backlog.length > BACKLOG_MAX) {
        this.forget(reader);
        reader.tooSlow();
      }
    }
  }

  /** A reader has read what was in its socket. */
  drained(reader: Reader): void {
    const backlog = this.#backlogs.get(reader);
    if (backlog === undefined) return;
    while (reader.socket.getBufferedAmount() < SLOW_FROM) {
      const frame = backlog.shift();
      if (frame === null) {
        this.forget(reader);
        for (const topic of reader.topics()) reader.socket.subscribe(topic);
        return;
      }
      reader.socket.sendText(frame);
    }
  }

  forget(reader: Reader): void {
    this.#backlogs.delete(reader);
  }

  /** True for one whose topics are not to be joined just now. */
  has(reader: Reader): boolean {
    return this.#backlogs.has(reader);
  }
}
