import type { RedisClient } from "#src/base/redis.ts";
import { takeTurn } from "#src/base/turns.ts";

/** All processes together broadcast one slice of 500 calls in this time: 10,000 calls a second. */
const SLICE_EVERY_MS = 50;
const KEY = "cable:slice";

/**
 * Spreads the slices of large settlements over time, over all processes together. All other messages are broadcast in
 * between.
 */
export class SliceLimiter {
  readonly #redis: RedisClient;
  readonly #notify: () => void;
  /** False while there is certainly no slice to send. */
  #expected = false;
  #waiting: Timer | undefined;

  /** @param notify is called when a slice that was too early may be tried again. */
  constructor(redis: RedisClient, notify: () => void) {
    this.#redis = redis;
    this.#notify = notify;
  }

  /** There may be slices to send. */
  expectSlices(): void {
    this.#expected = true;
  }

  /** There are no slices to send. */
  expectNone(): void {
    this.#expected = false;
  }

  /** A first slice was sent, outside of the limit, and left others. They wait, so that other facts come first. */
  async sentFirstSlice(): Promise<void> {
    this.#expected = true;
    await this.#redis.set(KEY, 1, "PX", SLICE_EVERY_MS);
  }

  /** @returns whether a slice may be sent now. False if there is none, or if it is too early: then `notify` comes later. */
  async tryAcquire(): Promise<boolean> {
    if (!this.#expected) return false;
    const waitMs = await takeTurn(this.#redis, KEY, SLICE_EVERY_MS);
    if (waitMs === 0) return true;
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#notify();
    }, waitMs);
    return false;
  }

  stop(): void {
    clearTimeout(this.#waiting);
  }
}
