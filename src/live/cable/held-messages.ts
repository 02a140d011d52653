import type { Delivery } from "./slow-clients.ts";

/** The live messages of some topics that wait until a client has its history. */
export type Hold = { topics: readonly string[]; messages: Delivery[] };

/** Holds back live messages for clients that are reading a history, so that these do not overtake it. */
export class HeldMessages {
  readonly #holds = new Map<string, Set<Hold>>();

  /** Begins to hold back the messages of these topics. The client has left them. */
  hold(topics: readonly string[]): Hold {
    const hold: Hold = { topics, messages: [] };
    for (const topic of topics) {
      const holds = this.#holds.get(topic) ?? new Set();
      this.#holds.set(topic, holds.add(hold));
    }
    return hold;
  }

  /** Adds a message to all holds of its topic. */
  buffer(message: Delivery): void {
    for (const hold of this.#holds.get(message.topic) ?? []) hold.messages.push(message);
  }

  /** Ends a hold. @returns the messages that have waited, in order. */
  release(hold: Hold): Delivery[] {
    for (const topic of hold.topics) {
      const holds = this.#holds.get(topic);
      holds?.delete(hold);
      if (holds?.size === 0) this.#holds.delete(topic);
    }
    return hold.messages;
  }
}
