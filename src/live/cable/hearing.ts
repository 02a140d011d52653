import type { RedisClient } from "#src/base/redis.ts";
import { broadcastControl } from "#src/base/streams/broadcast.ts";

// Decision: a process says "In sync" only while it hears what it says itself, through Redis and back. So whatever makes it deaf counts,
// also what no connection reports: lost packets, a frozen Redis, a proxy that leads to another one.

const HEARTBEAT_EVERY_MS = 1_000;
const DEAF_AFTER_MS = 3_000;
/** No stream has this name: processes of all releases hear the message, and send it to nobody. */
const HEARTBEAT = { stream: "cable:heartbeat", message: {} };

/** Whether this process hears. All processes hear each other's heartbeats, so one that has just heard one sends none. */
export class Hearing {
  readonly #redis: RedisClient;
  #heardAtMs = performance.now();
  #timer: Timer | undefined;

  constructor(redis: RedisClient) {
    this.#redis = redis;
  }

  start(): void {
    this.#heardAtMs = performance.now();
    this.#timer ??= setInterval(() => this.#beat(), HEARTBEAT_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A control message has arrived. */
  heard(): void {
    this.#heardAtMs = performance.now();
  }

  /** True if nothing was heard for 3 s. */
  get isDeaf(): boolean {
    return this.#timer !== undefined && performance.now() - this.#heardAtMs > DEAF_AFTER_MS;
  }

  #beat(): void {
    if (performance.now() - this.#heardAtMs < HEARTBEAT_EVERY_MS / 2) return;
    // While Redis is away nothing is heard, which is what it says.
    broadcastControl(this.#redis, HEARTBEAT).catch(() => undefined);
  }
}
