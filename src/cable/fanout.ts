import type { Server } from "bun";
import type { OffsetMessage } from "#src/streams/stream-offsets.ts";
import { BurstBuffer } from "./burst-buffer.ts";
import { delivery, presenceFrame, type Protocol } from "./frames.ts";
import type { Subscription } from "./hub-api.ts";
import { type Delivery, SlowClients } from "./slow-clients.ts";

/** Messages that arrive within this time are sent together. */
const BURST_MS = 5;

/**
 * Sends each message of a stream to the sockets of this process. Subscriptions to a stream with the same identifier text
 * and protocol form a group, which has one Bun topic: the frame is built once and published once.
 */
export class Fanout {
  readonly slowClients = new SlowClients();
  readonly #buffer = new BurstBuffer<Delivery>(BURST_MS, (each) => this.#publish(each));
  #server: Server<unknown> | null = null;

  attach(server: Server<unknown>): void {
    this.#server = server;
  }

  /** @param group from `groupOf`. */
  deliver(stream: string, group: string, message: OffsetMessage): void {
    this.#buffer.push({ topic: topicOf(stream, group), stream, ...parseGroup(group), message });
  }

  /** Tells the extended clients among these groups of a stream who joined or left. */
  publishPresence(stream: string, groups: readonly string[], presence: object): void {
    for (const group of groups) {
      const { protocol, identifier } = parseGroup(group);
      if (protocol === "ext")
        this.#server?.publish(topicOf(stream, group), presenceFrame(identifier, presence));
    }
  }

  /** Sends the buffered messages now. */
  flush(): void {
    this.#buffer.flush();
  }

  #publish(each: Delivery): void {
    const { topic, stream, protocol, identifier, message } = each;
    this.#server?.publish(topic, delivery(protocol, identifier, { stream, message }));
    if (this.slowClients.size > 0) this.slowClients.buffer(each);
  }
}

/** The Bun topic that carries a stream to a group. */
export function topicOf(stream: string, group: string): string {
  return `${stream} ${group}`;
}

/** The group of a subscription. Example: `plain {"channel":"SessionsChannel","id":7}`. */
export function groupOf({ client, identifier }: Subscription): string {
  return `${client.protocol} ${identifier}`;
}

function parseGroup(group: string): { protocol: Protocol; identifier: string } {
  const end = group.indexOf(" ");
  return { protocol: group.startsWith("ext ") ? "ext" : "plain", identifier: group.slice(end + 1) };
}
