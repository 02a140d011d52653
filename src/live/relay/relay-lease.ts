import { sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { RELAY_IDLE_MAX_MS } from "#src/base/outbox/outbox-rows.ts";

/** Less than the database waits, so that the lock is still held when the messages arrive. */
const PROVEN_FOR_MS = RELAY_IDLE_MAX_MS - 500;

/**
 * Whether a relay still holds its lock. A process that was frozen between two statements has lost it without an error, another relay
 * has broadcast what came after, and what this one has read is old.
 */
export class RelayLease {
  readonly #tx: Transaction;
  #sinceMs = performance.now();

  /** @param tx holds the lock, and its next statement follows at once. */
  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Call it right before each broadcast. It asks the database only where the process has been busy, or frozen, for seconds.
   * @throws if the database has ended the transaction.
   */
  async prove(): Promise<void> {
    while (performance.now() - this.#sinceMs > PROVEN_FOR_MS) {
      this.#sinceMs = performance.now();
      await this.#tx.execute(sql`SELECT 1`);
    }
  }
}

/**
 * Reads what a message is about, to be broadcast at once.
 * @throws if that has taken so long, as in a frozen process, that a newer message may be there.
 */
export async function readFresh<Result>(read: () => Promise<Result>): Promise<Result> {
  const startedAtMs = performance.now();
  const result = await read();
  if (performance.now() - startedAtMs > PROVEN_FOR_MS) throw new Error("what was read for a message is old");
  return result;
}
