import type { Command } from "./parse-command.ts";

/** Commands of one connection in a second; more of them wait. */
const COMMANDS_PER_S_MAX = 20;
/** Commands beyond these limits are dropped. */
const WAITING_MAX = 200;
const WAITING_LENGTH_MAX = 256 * 1_024;
const SECOND_MS = 1_000;

type QueuedCommand = { command: Command; length: number };

/** The connection whose commands wait. */
export type CommandPerformer = {
  /** Must not reject. */
  perform: (command: Command) => Promise<void>;
  /** Counts a command of the player; returns how long it has to wait, in ms. */
  takeCommand: () => number;
};

/** Performs the commands of one connection one at a time, in their order, at a limited rate. */
export class CommandQueue {
  readonly #performer: CommandPerformer;
  readonly #waiting: QueuedCommand[] = [];
  /** The one that is performed, if any. */
  #current: readonly QueuedCommand[] = [];
  #waitingLength = 0;
  #busy = false;
  #closed = false;
  /** When the last commands started, oldest first. */
  readonly #startedAtMs: number[] = [];

  constructor(performer: CommandPerformer) {
    this.#performer = performer;
  }

  /** What is subscribed, of these identifiers and others, once all is done that waits. */
  subscribedAfter(open: readonly string[]): ReadonlySet<string> {
    const identifiers = new Set(open);
    for (const { command } of [...this.#current, ...this.#waiting]) {
      if (command.command === "subscribe") identifiers.add(command.identifier);
      if (command.command === "unsubscribe") identifiers.delete(command.identifier);
    }
    return identifiers;
  }

  /**
   * Adds a command.
   * @param length of its text, in characters.
   * @returns false if the queue is full and the command is dropped.
   */
  push(command: Command, length: number): boolean {
    if (this.#waiting.length >= WAITING_MAX || this.#waitingLength + length > WAITING_LENGTH_MAX)
      return false;
    this.#waiting.push({ command, length });
    this.#waitingLength += length;
    if (!this.#busy) void this.#drain();
    return true;
  }

  /** Runs this before all commands. @param begin must not reject. */
  first(begin: () => Promise<void>): void {
    this.#busy = true;
    void begin().then(() => this.#drain());
  }

  /** Drops all waiting commands. */
  close(): void {
    this.#closed = true;
    this.#waiting.length = 0;
  }

  async #drain(): Promise<void> {
    this.#busy = true;
    for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift()) {
      this.#waitingLength -= next.length;
      this.#current = [next];
      await this.#limitRate();
      if (this.#closed) break;
      await this.#performer.perform(next.command);
      this.#current = [];
    }
    this.#busy = false;
  }

  /** Waits until fewer than COMMANDS_PER_S_MAX commands have started within the last second. */
  async #limitRate(): Promise<void> {
    if (this.#startedAtMs.length === COMMANDS_PER_S_MAX) {
      const waitMs = (this.#startedAtMs.shift() ?? 0) + SECOND_MS - performance.now();
      if (waitMs > 0) await Bun.sleep(waitMs);
    }
    const waitMs = this.#performer.takeCommand();
    if (waitMs > 0) await Bun.sleep(waitMs);
    this.#startedAtMs.push(performance.now());
  }
}
