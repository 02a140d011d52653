/** Fewer are of one client, or of a scan. */
const TOLD_FROM = 3;
/** Pages that get no socket try again within this time. */
const TOLD_FOR_MS = 300_000;

/**
 * Handshakes that a browser has begun, and that arrived as ordinary requests, because the proxy before this process does not pass `Upgrade`
 * on. Anybody can send such a request, so they count for nothing once a socket was opened.
 */
export class LostUpgrades {
  #count = 0;
  #lastMs = Number.NEGATIVE_INFINITY;

  /** Notes a request for a socket that was not upgraded. */
  note({ headers }: Request): void {
    if (headers.has("upgrade") || !headers.has("sec-websocket-key")) return;
    this.#count += 1;
    this.#lastMs = performance.now();
  }

  /** A socket was opened: the proxy passes `Upgrade` on. */
  forget(): void {
    this.#count = 0;
  }

  /** How many there were lately since the last socket was opened; 0 for a few. */
  get count(): number {
    const isLate = performance.now() - this.#lastMs > TOLD_FOR_MS;
    return isLate || this.#count < TOLD_FROM ? 0 : this.#count;
  }
}
