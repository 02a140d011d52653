/** How long a client takes to answer a ping. */
export class RoundTrip {
  /** When the ping was sent that has no answer yet; null: none. */
  #sentAtMs: number | null = null;
  #lastMs: number | null = null;

  /** A ping is sent. While an older one has no answer, that one counts. */
  sent(nowMs: number): void {
    this.#sentAtMs ??= nowMs;
  }

  answered(nowMs: number): void {
    if (this.#sentAtMs === null) return;
    this.#lastMs = nowMs - this.#sentAtMs;
    this.#sentAtMs = null;
  }

  /** For how long the client has owed an answer, in milliseconds; 0 if it owes none. */
  owedMs(nowMs: number): number {
    return this.#sentAtMs === null ? 0 : nowMs - this.#sentAtMs;
  }

  /** In milliseconds: of the newest answer, or how long the client already owes one, if that is longer. Null before any ping. */
  latestMs(nowMs: number): number | null {
    const owedMs = this.#sentAtMs === null ? null : nowMs - this.#sentAtMs;
    return owedMs === null || (this.#lastMs ?? -1) > owedMs ? this.#lastMs : owedMs;
  }
}
