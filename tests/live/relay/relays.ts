import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Fact, writeFact } from "#src/base/outbox/write-fact.ts";
import { createRelay, type Relay } from "#src/live/relay/relay-outbox.ts";
import { placeCall } from "#src/play/calls/place-call.ts";
import { type BuiltUser, readSpots } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { listenToStreams, type StreamListener } from "./stream-listener.ts";

/** Processes with a relay each, and a listener that receives their messages. */
export class Relays {
  readonly listener: StreamListener;
  readonly #deps: Deps;
  readonly #running: Relay[] = [];

  private constructor(deps: Deps, listener: StreamListener) {
    this.#deps = deps;
    this.listener = listener;
  }

  static async open(deps: Deps): Promise<Relays> {
    return new Relays(deps, await listenToStreams(deps.env.redisUrl));
  }

  /** The deps of a new process, whose verbs notify its own relay. */
  start(): Deps {
    const relay = createRelay(this.#deps);
    this.#running.push(relay);
    return { ...this.#deps, notifyRelay: () => relay.notify() };
  }

  /** Waits until all facts were broadcast, and the listener has received their messages. */
  async allSent(): Promise<void> {
    await waitFor("the outbox to be empty", async () => {
      return (await this.#deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
    });
    await this.listener.settled(this.#deps.redis);
  }

  /** Broadcasts what the builders wrote and clears it, so that a test sees only its own messages. */
  async sendAndClear(process: Deps): Promise<void> {
    process.notifyRelay();
    await this.allSent();
    this.listener.messages.length = 0;
  }

  /** All at once: none goes on with what another one has left. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((relay) => relay.stop()));
  }
}

/** Commits facts in a process and notifies its relay. */
export async function writeAndNotify(process: Deps, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) await writeFact(process.pool.db, fact);
  process.notifyRelay();
}

type CallOrder = { user: BuiltUser; eventId: number; side: "true" | "false" };

/** Places a call of $1.00 through the verb. @returns its id. */
export async function place(process: Deps, { user, eventId, side }: CallOrder): Promise<number> {
  const spotId = (await readSpots(process, eventId))[side].id;
  const call = { viewer: user, spotId, wagerCents: 100, idempotencyKey: crypto.randomUUID() };
  return (await placeCall(process, call)).callId;
}
