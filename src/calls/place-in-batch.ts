import type { DatabasePool } from "#db/client.ts";
import { type PlaceCall, placeCalls } from "#db/ledger/place-calls.ts";
import { gathering } from "#src/gathering.ts";

/** A batch waits for its slowest wallet, so it may not grow without end. */
const BATCH_SIZE_MAX = 256;

/**
 * Places a call together with all others that arrive while the batch before it is at the database: one statement and one
 * commit for all of them.
 */
export const placeInBatch = gathering(BATCH_SIZE_MAX, (pool: DatabasePool, calls: readonly PlaceCall[]) =>
  placeCalls(pool.db, calls),
);
