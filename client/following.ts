import type { Transmission } from "#src/cable/contract.ts";
import type { WithOffset, StreamOffset } from "#src/streams/contract.ts";

type Outlets<Message> = {
  /** Takes the messages in order, each once, none left out. */
  pass: (message: Message) => void;
  /** Asks the server for what came after a place; null: for where the stream stands. Every question is answered. */
  ask: (after: StreamOffset | null) => void;
  /** What was missed is not to be had any more: the page has to look at everything again. */
  missed: () => void;
};

/**
 * Keeps to one stream without a hole: it knows its place, drops what it has heard before, and asks for what lies between its
 * place and what comes too early.
 */
export class Following<Message extends object> {
  readonly #outlets: Outlets<Message>;
  /** Of the last message that was passed on; null while it is not known. */
  #place: StreamOffset | null;
  /** The last one that came too early, to be told again. */
  #early: StreamOffset | null = null;
  #asking = false;

  /** @param place as of when the page knows everything; null where nobody has said. */
  constructor(place: StreamOffset | null, outlets: Outlets<Message>) {
    this.#place = place;
    this.#outlets = outlets;
  }

  /** Subscribed, for the first time or again. */
  connected(): void {
    this.#asking = true;
    this.#outlets.ask(this.#place);
  }

  received(message: Transmission<Message>): void {
    if ("caughtUp" in message) this.#answered();
    else if ("gap" in message) {
      this.#place = { epoch: message.epoch, offset: message.offset };
      this.#outlets.missed();
      this.#answered();
    } else if ("offset" in message) this.#take(message);
    else this.#outlets.pass(message);
  }

  #take(message: WithOffset<Message> | StreamOffset): void {
    const steps = this.#stepsTo(message);
    if (steps === 1) {
      this.#place = { epoch: message.epoch, offset: message.offset };
      // One that says nothing but its place made room for a newer one.
      if (saysMore(message)) this.#outlets.pass(message);
    } else if (!(steps <= 0)) {
      this.#early = message;
      if (!this.#asking) this.connected();
    }
  }

  #answered(): void {
    const early = this.#early;
    this.#early = null;
    this.#asking = false;
    if (early !== null && !(this.#stepsTo(early) <= 0)) this.connected();
  }

  /** How far a message is ahead; not a number where that cannot be said. */
  #stepsTo({ epoch, offset }: StreamOffset): number {
    return this.#place?.epoch === epoch ? offset - this.#place.offset : Number.NaN;
  }
}

function saysMore<Message>(message: WithOffset<Message> | StreamOffset): message is WithOffset<Message> {
  return "sourceType" in message;
}
