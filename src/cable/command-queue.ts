import type { Command } from "./parse-command.ts";

/** Commands of one connection in a second. Whoever sends faster waits. */
const COMMANDS_PER_S_MAX = 20;
/** What may wait: beyond it commands are dropped. */
const WAITING_MAX = 200;
const WAITING_LENGTH_MAX = 256 * 1_024;
const SECOND_MS = 1_000;

type Waiting = { command: Command; length: number };

/** Performs the commands of one connection one after the other, in the order they came, and not too many a second. */
export class CommandQueue {
  readonly #perform: (command: Command) => Promise<void>;
  readonly #waiting: Waiting[] = [];
  #waitingLength = 0;
  #busy = false;
  #closed = false;
  /** When the last commands had their turn, oldest first. */
  readonly #turns: number[] = [];

  /** @param perform must not reject. */
  constructor(perform: (command: Command) => Promise<void>) {
    this.#perform = perform;
  }

  /**
   * Takes a command in.
   * @param length of its text, in characters.
   * @returns false where too much waits already.
   */
  push(command: Command, length: number): boolean {
    if (this.#waiting.length >= WAITING_MAX || this.#waitingLength + length > WAITING_LENGTH_MAX)
      return false;
    this.#waiting.push({ command, length });
    this.#waitingLength += length;
    if (!this.#busy) void this.#drain();
    return true;
  }

  /** Does this before all commands. @param begin must not reject. */
  first(begin: () => Promise<void>): void {
    this.#busy = true;
    void begin().then(() => this.#drain());
  }

  /** Forgets what waits. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#waitingLength -= next.length;
      await this.#takeTurn();
      if (this.#closed) break;
      await this.#perform(next.command);
    }
    this.#busy = false;
  }

  /** Waits until less than a second's worth of commands lies within the last second. */
  async #takeTurn(): Promise<void> {
    if (this.#turns.length === COMMANDS_PER_S_MAX) {
      const waitMs = (this.#turns.shift() ?? 0) + SECOND_MS - performance.now();
      if (waitMs > 0) await Bun.sleep(waitMs);
    }
    this.#turns.push(performance.now());
  }
}
