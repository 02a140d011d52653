import { desc, sql } from "drizzle-orm";
import { bookChecks } from "#db/schema/books.ts";
import type { Deps } from "#src/base/deps.ts";
import { checkBooks } from "./check-books.ts";

/** Minimum pause after any check. The schedule runs once a minute. */
const PAUSE_MIN_MS = 50_000;
/** A check pauses for twenty times its own duration, so large books are read for at most a twentieth of the time. */
const PAUSE_FACTOR = 20;

/** Checks the books if the pause after the last check is over: about a minute, or longer after a long check. */
export async function checkBooksWhenDue(deps: Deps): Promise<void> {
  if (await isDue(deps)) await checkBooks(deps, null);
}

async function isDue({ pool }: Deps): Promise<boolean> {
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

/** The pause after a check of this duration, in milliseconds. */
export function pauseAfterMs({ durationMs }: { durationMs: number }): number {
  return Math.max(PAUSE_MIN_MS, durationMs * PAUSE_FACTOR);
}
