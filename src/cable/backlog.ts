/** What waits for a peer that reads slowly. */
type Waiting = {
  frame: string;
  /** Of two with the same name only the later one matters; null: both do. */
  replaces: string | null;
  /** What stays of it when a later one has taken its place: where it stood. */
  hollow: string;
};

/** The frames that wait for one slow peer, in their order. The latest pool, balance and count replace older ones. */
export class Backlog {
  readonly #waiting: Waiting[] = [];
  readonly #latest = new Map<string, Waiting>();
  #length = 0;

  /** In characters. */
  get length(): number {
    return this.#length;
  }

  push(waiting: Waiting): void {
    const { replaces } = waiting;
    const older = replaces === null ? undefined : this.#latest.get(replaces);
    if (older !== undefined) {
      this.#length += older.hollow.length - older.frame.length;
      older.frame = older.hollow;
    }
    if (replaces !== null) this.#latest.set(replaces, waiting);
    this.#waiting.push(waiting);
    this.#length += waiting.frame.length;
  }

  /** The next frame; null where nothing waits. */
  shift(): string | null {
    const next = this.#waiting.shift();
    if (next === undefined) return null;
    this.#length -= next.frame.length;
    if (next.replaces !== null && this.#latest.get(next.replaces) === next)
      this.#latest.delete(next.replaces);
    return next.frame;
  }
}

const LATEST_WINS =
  /^\{"epoch":"[^"]*","offset":\d+,"sourceType":"(?:Spot","eventType":"pool","detail":\{"eventId":\d+|Wallet","eventType":"balance_change"|Presence","eventType":"count")/;
const PLACE = /^\{"epoch":"[^"]*","offset":\d+/;

/** What a message is the latest of: the pool of an event, the balance, the count of players; null where all count. */
export function latestOf(text: string): string | null {
  const place = PLACE.exec(text)?.[0];
  const whole = LATEST_WINS.exec(text)?.[0];
  return place === undefined || whole === undefined ? null : whole.slice(place.length);
}

/** A message that says nothing but its place. */
export function hollowOf(text: string): string {
  return `${PLACE.exec(text)?.[0] ?? "{"}}`;
}
