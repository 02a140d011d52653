/** The database has not answered for so long that its connections are given up. What was sent may have been done. */
export class DatabaseSilent extends Error {
  readonly code = "DATABASE_SILENT";
  constructor() {
    super("the database does not answer");
  }
}

/** A statement or a transaction that has a connection. */
export class InFlight {
  readonly #reject: (error: Error) => void;
  readonly #onAnswer: () => void;
  #unanswered = 0;
  #waitsSince = 0;

  constructor(reject: (error: Error) => void, onAnswer: () => void) {
    this.#reject = reject;
    this.#onAnswer = onAnswer;
  }

  /** For how long the database owes an answer, in ms; 0: it owes none, because the transaction is between two statements. */
  waitedMs(now: number): number {
    return this.#unanswered === 0 ? 0 : now - this.#waitsSince;
  }

  /** A statement was sent. */
  sent(): void {
    if (this.#unanswered === 0) this.#waitsSince = performance.now();
    this.#unanswered += 1;
  }

  /** A statement was answered. */
  answered(): void {
    this.#unanswered -= 1;
    this.#waitsSince = performance.now();
    this.#onAnswer();
  }

  /** Rejects what waits for the answer. */
  giveUp(): void {
    this.#reject(new DatabaseSilent());
  }
}
