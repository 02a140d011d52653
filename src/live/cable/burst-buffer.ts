/**
 * Groups bursts of items. An item after a quiet time passes at once, together with all others of the same event loop turn.
 * Items of a burst pass together, at most `withinMs` later. What is sent together costs each socket one system call.
 */
export class BurstBuffer<Item> {
  readonly #pass: (item: Item) => void;
  readonly #withinMs: number;
  #items: Item[] = [];
  #flushedAtMs = 0;
  #timer: Timer | undefined;
  /** A flush is queued as a microtask. */
  #flushing = false;

  constructor(withinMs: number, pass: (item: Item) => void) {
    this.#withinMs = withinMs;
    this.#pass = pass;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#flushing || this.#timer !== undefined) return;
    const waitMs = this.#flushedAtMs + this.#withinMs - performance.now();
    this.#flushing = waitMs <= 0;
    if (this.#flushing) queueMicrotask(() => this.flush());
    else this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Passes all items now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#flushing = false;
    this.#flushedAtMs = performance.now();
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#pass(item);
  }
}
