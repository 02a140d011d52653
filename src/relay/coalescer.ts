import type { Redis } from "ioredis";
import type { Logger } from "pino";

const RETRY_MS = 1_000;

type CoalescerDeps = { redis: Redis; log: Logger };
type Telling = {
  /** Names the turns in Redis: all processes share them. */
  name: string;
  everyMs: number;
  /** Tells how things stand now. */
  tell: (id: number) => Promise<void>;
};

/**
 * Tells of something that changes often: at once when it was quiet, otherwise when the last message is `everyMs` old, over
 * all processes together; and always once after the last change.
 */
export class Coalescer {
  readonly #deps: CoalescerDeps;
  readonly #telling: Telling;
  /** What is to be told. */
  readonly #changed = new Set<number>();
  /** Whose turn is being waited for, or taken. */
  readonly #busy = new Map<number, Promise<void>>();
  #stopping = false;

  constructor(deps: CoalescerDeps, telling: Telling) {
    this.#deps = deps;
    this.#telling = telling;
  }

  change(id: number): void {
    this.#changed.add(id);
    if (!this.#busy.has(id)) this.#busy.set(id, this.#work(id));
  }

  /** Resolves when the last changes were told, or cannot be told. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.#busy.values());
  }

  async #work(id: number): Promise<void> {
    while (this.#changed.has(id)) {
      const outcome = await this.#tryToTell(id);
      if (outcome === "told") continue;
      // Who stops still waits for a turn, but not for a Redis or a database that is away.
      if (outcome === "failed" && this.#stopping) break;
      await Bun.sleep(outcome === "failed" ? RETRY_MS : outcome.turnInMs);
    }
    this.#busy.delete(id);
  }

  async #tryToTell(id: number): Promise<"told" | "failed" | { turnInMs: number }> {
    const { redis, log } = this.#deps;
    const { name, everyMs, tell } = this.#telling;
    const turn = `cable:turn:${name}:${id}`;
    try {
      const taken = await redis.set(turn, 1, "PX", everyMs, "NX");
      if (taken === null) return { turnInMs: Math.max(1, await redis.pttl(turn)) };
      this.#changed.delete(id);
      await tell(id);
      return "told";
    } catch (error) {
      this.#changed.add(id);
      log.debug({ err: error, name, id }, "told again later");
      return "failed";
    }
  }
}
