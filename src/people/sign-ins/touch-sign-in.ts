import { sql } from "drizzle-orm";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { signIns } from "#db/schema/users.ts";
import { isStale } from "#db/sign-in-conditions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";

/** The largest number of sign-ins in one update; see createBatcher. */
const BATCH_MAX = 256;

/**
 * Records that a user was seen. Sign-ins of the same moment share one update: after a break all viewers of a show return
 * together. No answer waits for it, and after a failure the next request tries again.
 */
export async function touchSignIn(deps: Pick<Deps, "pool" | "log">, signInId: string): Promise<void> {
  try {
    await touchInBatch(deps.pool, signInId);
  } catch (error) {
    deps.log.warn({ err: error }, "could not update when a sign-in was last seen");
  }
}

const touchInBatch = createBatcher(BATCH_MAX, touchSignIns, { collects: true });

/** A row that is locked is left out. So two processes that see the same users never wait for each other. */
async function touchSignIns({ db }: Deps["pool"], signInIds: readonly string[]): Promise<null[]> {
  await db.execute(sql`
    UPDATE ${signIns} SET last_seen_at = clock_timestamp() WHERE ${signIns.id} IN (
      SELECT ${signIns.id} FROM ${signIns}
      WHERE ${signIns.id} = ANY (${writeTextArray(signInIds)}::uuid[]) AND ${isStale}
      FOR NO KEY UPDATE SKIP LOCKED)`);
  return signInIds.map(() => null);
}
