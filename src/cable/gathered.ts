/**
 * Lets what comes alone pass at once, with what came in the same breath, and what comes in bursts together, a few
 * milliseconds later at most: what is sent in one go costs each socket one system call.
 */
export class Gathered<Item> {
  readonly #pass: (item: Item) => void;
  readonly #withinMs: number;
  #items: Item[] = [];
  #passedAtMs = 0;
  #timer: Timer | undefined;
  #passing = false;

  constructor(withinMs: number, pass: (item: Item) => void) {
    this.#withinMs = withinMs;
    this.#pass = pass;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#passing || this.#timer !== undefined) return;
    const waitMs = this.#passedAtMs + this.#withinMs - performance.now();
    this.#passing = waitMs <= 0;
    if (this.#passing) queueMicrotask(() => this.flush());
    else this.#timer = setTimeout(() => this.flush(), waitMs);
  }

  /** Lets everything pass now. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#passing = false;
    this.#passedAtMs = performance.now();
    const items = this.#items;
    this.#items = [];
    for (const item of items) this.#pass(item);
  }
}
