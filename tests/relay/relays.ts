import { isNull } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { placeCall } from "#src/calls/place-call.ts";
import { type Fact, writeFact } from "#src/outbox/write-fact.ts";
import { createRelay, type Relay } from "#src/relay/relay-outbox.ts";
import { type BuiltUser, readSpots } from "#tests/support/build.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { listen, type Radio } from "./stream-listener.ts";

/** Processes with a relay each, and a radio that hears what they tell. */
export class Relays {
  readonly radio: Radio;
  readonly #deps: Deps;
  readonly #running: Relay[] = [];

  private constructor(deps: Deps, radio: Radio) {
    this.#deps = deps;
    this.radio = radio;
  }

  static async open(deps: Deps): Promise<Relays> {
    return new Relays(deps, await listen(deps.env.redisUrl));
  }

  /** What a process gives its verbs: they ring its own relay. */
  start(): Deps {
    const relay = createRelay(this.#deps);
    this.#running.push(relay);
    return { ...this.#deps, notifyRelay: () => relay.notify() };
  }

  /** Waits until everything was told. */
  async told(): Promise<void> {
    await waitFor("the outbox to be told", async () => {
      return (await this.#deps.pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
    });
  }

  /** Has told what the builders wrote, and forgets it: from here on a test hears its own facts only. */
  async quiet(process: Deps): Promise<void> {
    process.notifyRelay();
    await this.told();
    this.radio.told.length = 0;
  }

  async stop(): Promise<void> {
    for (const relay of this.#running.splice(0)) await relay.stop();
  }
}

/** Commits facts in a process and rings its relay. */
export async function tell(process: Deps, facts: readonly Fact[]): Promise<void> {
  for (const fact of facts) await writeFact(process.pool.db, fact);
  process.notifyRelay();
}

type Wish = { user: BuiltUser; eventId: number; side: "true" | "false" };

/** Places a call of a dollar through the verb. Answers its id. */
export async function place(process: Deps, { user, eventId, side }: Wish): Promise<number> {
  const spotId = (await readSpots(process, eventId))[side].id;
  const call = { viewer: user, spotId, wagerCents: 100, idempotencyKey: crypto.randomUUID() };
  return (await placeCall(process, call)).callId;
}
