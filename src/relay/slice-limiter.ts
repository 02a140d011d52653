import type { Redis } from "ioredis";

/** All processes together tell one slice of a crowd in this time: 5,000 calls a second. */
const SLICE_EVERY_MS = 100;
const TURN = "cable:turn:crowd";

/** Spreads what concerns a crowd over time, over all processes together: everybody else's messages go in between. */
export class CrowdTurns {
  readonly #redis: Redis;
  readonly #ring: () => void;
  /** Something may wait. */
  #expected = false;
  #waiting: Timer | undefined;

  /** @param ring is called when a turn may be free that was asked for in vain. */
  constructor(redis: Redis, ring: () => void) {
    this.#redis = redis;
    this.#ring = ring;
  }

  /** There may be slices to tell. */
  expect(): void {
    this.#expected = true;
  }

  /** The first slice of a crowd was told; the others come after what everybody else is told. */
  async toldSlice(): Promise<void> {
    this.#expected = true;
    await this.#redis.set(TURN, 1, "PX", SLICE_EVERY_MS);
  }

  /** There are none. */
  forget(): void {
    this.#expected = false;
  }

  /** Takes the turn for one slice. @returns false where there is nothing to tell, or it is not the time yet. */
  async take(): Promise<boolean> {
    if (!this.#expected) return false;
    if ((await this.#redis.set(TURN, 1, "PX", SLICE_EVERY_MS, "NX")) !== null) return true;
    const waitMs = Math.max(1, await this.#redis.pttl(TURN));
    this.#waiting ??= setTimeout(() => {
      this.#waiting = undefined;
      this.#ring();
    }, waitMs);
    return false;
  }

  stop(): void {
    clearTimeout(this.#waiting);
  }
}
