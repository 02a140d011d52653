type Waiting = { start: () => void; reject: (error: Error) => void };

/** How the connections of a pool are used. `waits`, `waitedMs`: since it was opened, for a connection to become free. */
export type PoolCounts = { size: number; running: number; waiting: number; waits: number; waitedMs: number };

/** The turns of statements and transactions: so many run at the same moment, and the others wait, oldest first. */
export class Turns {
  readonly #max: number;
  #free: number;
  #waiting: Waiting[] = [];
  #waits = 0;
  #waitedMs = 0;

  constructor(max: number) {
    this.#max = max;
    this.#free = max;
  }

  get counts(): PoolCounts {
    const running = this.#max - this.#free;
    const waiting = this.#waiting.length;
    return { size: this.#max, running, waiting, waits: this.#waits, waitedMs: this.#waitedMs };
  }

  /** Waits for a turn. @throws what `rejectWaiting` was given meanwhile. */
  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await this.#wait();
  }

  async #wait(): Promise<void> {
    const sinceMs = performance.now();
    this.#waits += 1;
    await new Promise<void>((start, reject) => this.#waiting.push({ start, reject }));
    this.#waitedMs += performance.now() - sinceMs;
  }

  /** Ends a turn: the oldest that waits takes it over. */
  end(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.start();
  }

  /** Rejects all that wait at this moment. */
  rejectWaiting(makeError: () => Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(makeError());
  }
}
