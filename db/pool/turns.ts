type Waiting = { start: () => void; reject: (error: Error) => void };

/** The turns of statements and transactions: so many run at the same moment, and the others wait, oldest first. */
export class Turns {
  #free: number;
  #waiting: Waiting[] = [];

  constructor(max: number) {
    this.#free = max;
  }

  /** Waits for a turn. @throws what `rejectWaiting` was given meanwhile. */
  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((start, reject) => this.#waiting.push({ start, reject }));
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
