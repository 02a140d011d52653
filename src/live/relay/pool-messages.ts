import type { Deps } from "#src/base/deps.ts";
import { getNumbers, presenceKey } from "#src/base/redis-keys.ts";
import { broadcast } from "#src/base/streams/broadcast.ts";
import { buildPoolMessage, RECENT_CALLS_MAX } from "./build-pool-message.ts";
import { Coalescer } from "./coalescer.ts";
import type { RecentCall } from "./message-context.ts";
import { readFresh } from "./relay-lease.ts";

/** In a crowd a message waits as long before it is sent (src/live/cable/crowd-buffer.ts), and of an older pool only its offset is sent. */
const EVERY_MS = { least: 250, perPlayer: 0.1, most: 1_000 };

/** Broadcasts the pools of events: at most four times a second for each event, and once a second to 10,000 players. */
export class PoolMessages {
  readonly #deps: Pick<Deps, "pool" | "redis">;
  readonly #coalescer: Coalescer;
  /** By event, the newest calls that were in no pool message yet. */
  readonly #recentCalls = new Map<number, RecentCall[]>();
  /** One session is live at a time: that of the last message. */
  #everyMs = EVERY_MS.least;

  constructor(deps: Pick<Deps, "pool" | "redis" | "log">) {
    this.#deps = deps;
    this.#coalescer = new Coalescer(deps, {
      name: "pool",
      everyMs: () => this.#everyMs,
      send: (eventId) => this.#send(eventId),
    });
  }

  /** The pool of an event has changed. @param calls its newest ones. */
  change(eventId: number, calls: readonly RecentCall[]): void {
    const recent = [...(this.#recentCalls.get(eventId) ?? []), ...calls];
    this.#recentCalls.set(eventId, recent.slice(-RECENT_CALLS_MAX));
    this.#coalescer.change(eventId);
  }

  /** Resolves when the last pools were sent, or have failed once more. */
  stop(): Promise<void> {
    return this.#coalescer.stop();
  }

  async #send(eventId: number): Promise<void> {
    const { pool, redis } = this.#deps;
    const recent = this.#recentCalls.get(eventId) ?? [];
    this.#recentCalls.delete(eventId);
    const message = await readFresh(() => buildPoolMessage(pool.db, eventId, recent));
    if (message === null) return;
    await broadcast(redis, [message]);
    const [players = 0] = await getNumbers(redis, [presenceKey(redis, message.sessionId)]);
    const { least, perPlayer, most } = EVERY_MS;
    this.#everyMs = Math.min(most, Math.max(least, players * perPlayer));
  }
}
