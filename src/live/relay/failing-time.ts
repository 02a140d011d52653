/** After this, pages learn of it: a Redis that fails over, or a fact that is tried again, takes less. */
const STUCK_AFTER_MS = 3_000;

/** For how long a relay has broadcast nothing although there was something. */
export class FailingTime {
  #beganAtMs = 0;
  #sinceMs: number | null = null;

  /** The next try begins. */
  begins(): void {
    this.#beganAtMs = performance.now();
  }

  /** That try has failed, perhaps after it has waited for long. */
  failed(): void {
    this.#sinceMs ??= this.#beganAtMs;
  }

  /** All that was there was broadcast, by this relay or by another one. */
  succeeded(): void {
    this.#sinceMs = null;
  }

  get isLong(): boolean {
    return this.#sinceMs !== null && performance.now() - this.#sinceMs >= STUCK_AFTER_MS;
  }
}
