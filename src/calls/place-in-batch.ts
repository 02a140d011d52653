import type { DatabasePool } from "#db/client.ts";
import { type PlaceCall, type PlacedCall, placeCalls } from "#db/ledger/place-calls.ts";
import type { Deps } from "#src/deps.ts";
import { gathering } from "#src/gathering.ts";
import { Refusal } from "#src/http/refusal.ts";

/** A batch waits for its slowest wallet, so it may not grow without end. */
const BATCH_SIZE_MAX = 256;
const RETRY_AFTER_S = 1;

/**
 * Places a call together with all others that arrive while the batch before it is at the database: one statement and one
 * commit for all of them.
 * @throws Refusal 503 too_many_calls where as many are waiting already as the settings allow; then it was not tried.
 */
export function placeInBatch(
  { pool, env }: Pick<Deps, "pool" | "env">,
  call: PlaceCall,
): Promise<PlacedCall> {
  return place(pool, call, { waitingMax: env.placingQueueMax, whenFull: tooManyCalls });
}

const place = gathering(BATCH_SIZE_MAX, (pool: DatabasePool, calls: readonly PlaceCall[]) =>
  placeCalls(pool.db, calls),
);

function tooManyCalls(): Refusal {
  return new Refusal(503, "too_many_calls", "Too many calls are coming in at once. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
