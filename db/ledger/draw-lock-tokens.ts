import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import type { Fence } from "./check-fence.ts";
import { queryRows, wholeNumber } from "./query.ts";
import { writeIntegerArray, writeTextArray } from "./write-array.ts";

/**
 * Draws a fencing token for each of these locks, in their order. The caller holds them already: then a later holder of the same lock
 * has a higher token.
 */
export async function drawLockTokens(
  db: Queryable,
  locks: readonly Pick<Fence, "kind" | "id">[],
): Promise<number[]> {
  const rows = await queryRows(
    db,
    v.object({ token: wholeNumber }),
    sql`SELECT draw_lock_tokens(${writeTextArray(locks.map(({ kind }) => kind))}::text[],
      ${writeIntegerArray(locks.map(({ id }) => id))}::bigint[]) AS token`,
  );
  return rows.map(({ token }) => token);
}
