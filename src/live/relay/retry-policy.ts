const FACTS_AT_ONCE = 200;
const TRIES_MAX = 5;

/**
 * Keeps one broken fact from blocking all later ones. After a failed batch, the next 200 facts are sent one by one. A fact
 * that fails 5 times alone is left out.
 */
export class RetryPolicy {
  /** How many facts are still sent one by one. */
  #singlesLeft = 0;
  #failingId = 0;
  #failures = 0;

  /** How many facts to take at once. */
  get limit(): number {
    return this.#singlesLeft > 0 ? 1 : FACTS_AT_ONCE;
  }

  /** True for a fact that failed too often. */
  isExhausted(id: number): boolean {
    return id === this.#failingId && this.#failures >= TRIES_MAX;
  }

  succeeded(batch: readonly unknown[]): void {
    this.#singlesLeft = batch.length === 0 ? 0 : Math.max(0, this.#singlesLeft - 1);
  }

  failed(batch: readonly { id: number }[]): void {
    this.#singlesLeft = FACTS_AT_ONCE;
    const [only, another] = batch;
    if (only === undefined || another !== undefined) return;
    this.#failures = only.id === this.#failingId ? this.#failures + 1 : 1;
    this.#failingId = only.id;
  }
}
