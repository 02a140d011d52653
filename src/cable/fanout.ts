import type { Server } from "bun";
import type { OffsetMessage } from "#src/streams/stream-offsets.ts";
import type { Seat } from "./desk.ts";
import { delivery, presenceFrame, type Wire } from "./frames.ts";
import { Gathered } from "./gathered.ts";
import { type Delivery, SlowPeers } from "./slow-clients.ts";

/** Bursts are gathered for so long. */
const GATHERED_MS = 5;

/**
 * Brings each message of a stream to the sockets of this process: everybody who follows the stream under one spelling of its
 * identifier, on one wire, gets one frame, made once and published once.
 */
export class Fanout {
  readonly slowPeers = new SlowPeers();
  readonly #gathered = new Gathered<Delivery>(GATHERED_MS, (one) => this.#publish(one));
  #server: Server<unknown> | null = null;

  attach(server: Server<unknown>): void {
    this.#server = server;
  }

  /** @param follower as `followerOf` names it. */
  deliver(stream: string, follower: string, heard: OffsetMessage): void {
    this.#gathered.push({ topic: topicOf(stream, follower), stream, ...readFollower(follower), heard });
  }

  /** Tells the extended followers of a stream who came or left. */
  tellPresence(stream: string, followers: readonly string[], presence: object): void {
    for (const follower of followers) {
      const { wire, identifier } = readFollower(follower);
      if (wire === "ext")
        this.#server?.publish(topicOf(stream, follower), presenceFrame(identifier, presence));
    }
  }

  /** Sends what is gathered. */
  flush(): void {
    this.#gathered.flush();
  }

  #publish(one: Delivery): void {
    const { topic, stream, wire, identifier, heard } = one;
    this.#server?.publish(topic, delivery(wire, identifier, { stream, heard }));
    if (this.slowPeers.size > 0) this.slowPeers.keep(one);
  }
}

/** What carries a stream to its followers of one name. */
export function topicOf(stream: string, follower: string): string {
  return `${stream} ${follower}`;
}

export function followerOf({ peer, identifier }: Seat): string {
  return `${peer.wire} ${identifier}`;
}

function readFollower(follower: string): { wire: Wire; identifier: string } {
  const end = follower.indexOf(" ");
  return { wire: follower.startsWith("ext ") ? "ext" : "plain", identifier: follower.slice(end + 1) };
}
