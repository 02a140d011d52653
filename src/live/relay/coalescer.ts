import type { Logger } from "pino";
import type { RedisClient } from "#src/base/redis.ts";
import { takeTurn } from "#src/base/turns.ts";

const RETRY_MS = 1_000;

type CoalescerDeps = { redis: RedisClient; log: Logger };
type CoalescerOptions = {
  /** Names the rate limit in Redis, which all processes share. */
  name: string;
  everyMs: () => number;
  /** Broadcasts the current value. */
  send: (id: number) => Promise<void>;
};

/**
 * Limits how often a value is broadcast that changes often. The first change after a quiet time is sent at once; later ones
 * when `everyMs` have passed since the last message, over all processes together. The last change is always sent.
 * Example: with 250 ms, 100 calls in one second cause about 4 pool messages.
 */
export class Coalescer {
  readonly #deps: CoalescerDeps;
  readonly #options: CoalescerOptions;
  /** Changed since the last message. */
  readonly #changed = new Set<number>();
  /** For each id that is being sent or waits to be sent. */
  readonly #sending = new Map<number, Promise<void>>();
  #stopping = false;

  constructor(deps: CoalescerDeps, options: CoalescerOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  change(id: number): void {
    this.#changed.add(id);
    if (!this.#sending.has(id)) this.#sending.set(id, this.#sendChanges(id));
  }

  /** Resolves when the last changes were sent, or have failed once more. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#sending.values());
  }

  async #sendChanges(id: number): Promise<void> {
    while (this.#changed.has(id)) {
      const outcome = await this.#trySend(id);
      if (outcome === "sent") continue;
      // While stopping, it still waits for the rate limit, but not for a Redis or a database that is away.
      if (outcome === "failed" && this.#stopping) break;
      await Bun.sleep(outcome === "failed" ? RETRY_MS : outcome.waitMs);
    }
    this.#sending.delete(id);
  }

  async #trySend(id: number): Promise<"sent" | "failed" | { waitMs: number }> {
    const { redis, log } = this.#deps;
    const { name, everyMs, send } = this.#options;
    const key = `cable:coalescer:${name}:${id}`;
    try {
      const waitMs = await takeTurn(redis, key, everyMs());
      if (waitMs > 0) return { waitMs };
      this.#changed.delete(id);
      await send(id);
      return "sent";
    } catch (error) {
      this.#changed.add(id);
      log.debug({ err: error, name, id }, "a coalesced message is retried");
      return "failed";
    }
  }
}
