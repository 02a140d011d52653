/**
 * Lets what comes alone pass at once, and what comes in bursts together, a few milliseconds later at most: what is sent in
 * one go costs each socket one system call.
 */
export class Gathered<Item> {
  readonly #pass: (item: Item) => void;
  readonly #withinMs: number;
  #items: Item[] = [];
  #passedAtMs = 0;
  #timer: Timer | undefined;

  constructor(withinMs: number, pass: (item: Item) => void) {
    this.#withinMs = withinMs;
    this.#pass = pass;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#timer !== undefined) return;
    const waitMs = this.#passedAtMs + this.#withinMs - performance.now();
    if (waitMs <= 0) this.flush();
    else this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Lets everything pass now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#passedAtMs = performance.now();
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#pass(item);
  }
}
