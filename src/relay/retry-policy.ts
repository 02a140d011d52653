const FACTS_AT_ONCE = 200;
const TRIES_MAX = 5;

/**
 * With facts that cannot be told for a reason of their own. One of them would hold up all that come after it: where a batch
 * failed, the next facts are told one by one, and the one that fails again and again is left out.
 */
export class Patience {
  /** How many facts are still told one by one. */
  #carefully = 0;
  #stuckId = 0;
  #tries = 0;

  /** How many facts to take at once. */
  get limit(): number {
    return this.#carefully > 0 ? 1 : FACTS_AT_ONCE;
  }

  /** True for a fact that was tried often enough. */
  isOver(id: number): boolean {
    return id === this.#stuckId && this.#tries >= TRIES_MAX;
  }

  succeeded(batch: readonly unknown[]): void {
    this.#carefully = batch.length === 0 ? 0 : Math.max(0, this.#carefully - 1);
  }

  failed(batch: readonly { id: number }[]): void {
    this.#carefully = FACTS_AT_ONCE;
    const [only, another] = batch;
    if (only === undefined || another !== undefined) return;
    this.#tries = only.id === this.#stuckId ? this.#tries + 1 : 1;
    this.#stuckId = only.id;
  }
}
