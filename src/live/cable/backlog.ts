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
