import { desc, sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import type { Deps } from "#src/base/deps.ts";
import { checkBooks } from "./check-books.ts";

const SECOND_MS = 1_000;
/** Not sooner after the last check, whoever made it. */
const EVERY_MS = 50 * SECOND_MS;
/** Large books are read for at most a twentieth of the time. */
const REST_FACTOR = 20;

/** Checks the books once it is time: a minute after the last check, or later where that took long. */
export async function checkBooksWhenDue(deps: Deps): Promise<void> {
  if (await isTime(deps)) await checkBooks(deps, null);
}

async function isTime({ pool }: Deps): Promise<boolean> {
  const [last] = await pool.db
    .select({
      durationMs: bookChecks.durationMs,
      agoMs: sql<string>`extract(epoch FROM clock_timestamp() - ${bookChecks.checkedAt}) * 1000`,
    })
    .from(bookChecks)
    .orderBy(desc(bookChecks.id))
    .limit(1);
  if (last === undefined) return true;
  return Number(last.agoMs) >= pauseAfterMs(last);
}

/** How long the books may rest after a check, in milliseconds. */
export function pauseAfterMs({ durationMs }: { durationMs: number }): number {
  return Math.max(EVERY_MS, durationMs * REST_FACTOR);
}
