const FACTS_AT_ONCE = 200;

/** Finds the fact that makes a batch fail: after a failed batch, the next 200 facts are sent one by one. */
export class RetryPolicy {
  /** How many facts are still sent one by one. */
  #singlesLeft = 0;

  /** How many facts to take at once. */
  get limit(): number {
    return this.#singlesLeft > 0 ? 1 : FACTS_AT_ONCE;
  }

  succeeded(batch: readonly unknown[]): void {
    this.#singlesLeft = batch.length === 0 ? 0 : Math.max(0, this.#singlesLeft - 1);
  }

  failed(): void {
    this.#singlesLeft = FACTS_AT_ONCE;
  }
}
