import type { WithOffset, StreamOffset } from "#src/base/streams/contract.ts";
import type { Transmission } from "#src/live/cable/contract.ts";

type FollowerHandlers<Message> = {
  /** Called with the messages in order, each once, without gaps. */
  deliver: (message: Message) => void;
  /** Requests the messages after an offset from the server; null: its current offset. The server answers each request. */
  requestSince: (after: StreamOffset | null) => void;
  /** The history no longer has the missed messages: the page loads its data again. newEpoch: so do all other pages. */
  missed: (gap: { newEpoch: boolean }) => void;
  /** The follower has everything up to now, or `missed` was called. */
  caughtUp: () => void;
};

/**
 * Follows one stream without gaps. The server renders a page with the offsets of its streams, read before any of the page's
 * data. After each connect the follower requests the messages after its offset. It drops messages that it already has, and
 * requests the missing ones when a message is ahead of its offset. Only if the history does not reach back far enough does
 * the page load its data again. An epoch ends with a run of Redis, which may have lost its last second.
 */
export class StreamFollower<Message extends object> {
  readonly #handlers: FollowerHandlers<Message>;
  /** The offset of the last delivered message; null while unknown. */
  #offset: StreamOffset | null;
  /** The latest message that was ahead of the offset; it will be received again. */
  #ahead: StreamOffset | null = null;
  #requesting = false;

  /** @param offset of the page's data; null if unknown. */
  constructor(offset: StreamOffset | null, handlers: FollowerHandlers<Message>) {
    this.#offset = offset;
    this.#handlers = handlers;
  }

  /** Subscribed, for the first time or again. */
  connected(): void {
    this.#requesting = true;
    this.#handlers.requestSince(this.#offset);
  }

  /** It waits for messages that it has requested. */
  get isRequesting(): boolean {
    return this.#requesting;
  }

  received(message: Transmission<Message>): void {
    if ("caughtUp" in message) this.#finishRequest();
    else if ("gap" in message) {
      const newEpoch = this.#offset !== null && this.#offset.epoch !== message.epoch;
      this.#offset = { epoch: message.epoch, offset: message.offset };
      this.#handlers.missed({ newEpoch });
      this.#finishRequest();
    } else if ("offset" in message) this.#receive(message);
    else this.#handlers.deliver(message);
  }

  #receive(message: WithOffset<Message> | StreamOffset): void {
    const steps = this.#stepsTo(message);
    if (steps === 1) {
      this.#offset = { epoch: message.epoch, offset: message.offset };
      // A message with nothing but an offset was replaced by a newer one on a slow connection.
      if (hasContent(message)) this.#handlers.deliver(message);
    } else if (!(steps <= 0)) {
      this.#ahead = message;
      if (!this.#requesting) this.connected();
    }
  }

  #finishRequest(): void {
    const ahead = this.#ahead;
    this.#ahead = null;
    this.#requesting = false;
    if (ahead !== null && !(this.#stepsTo(ahead) <= 0)) this.connected();
    else this.#handlers.caughtUp();
  }

  /** How many messages ahead of the offset; NaN if the epochs differ or the offset is unknown. */
  #stepsTo({ epoch, offset }: StreamOffset): number {
    return this.#offset?.epoch === epoch ? offset - this.#offset.offset : Number.NaN;
  }
}

function hasContent<Message>(message: WithOffset<Message> | StreamOffset): message is WithOffset<Message> {
  return "sourceType" in message;
}
