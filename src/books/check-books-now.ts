import { eq } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { bookChecks } from "#db/schema/books.ts";
import type { Deps } from "#src/base/deps.ts";
import { findOutcome, madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { Refusal } from "#src/base/refusal.ts";
import { type BookCheckRow, checkBooks } from "./check-books.ts";

/** How long a request waits for the check. */
const WAIT_MAX_MS = 15_000;

const running = new WeakMap<Deps["pool"], Promise<BookCheckRow>>();

/**
 * Checks the books on request. Requests during a running check share its result.
 * @throws Refusal 503 where the check takes longer than `waitMaxMs`. It continues, and its result is stored.
 */
export async function checkBooksNow(
  deps: Deps,
  actor: { id: number },
  keyed: MaybeKeyed = null,
  { waitMaxMs = WAIT_MAX_MS }: { waitMaxMs?: number } = {},
): Promise<BookCheckRow> {
  const { db } = deps.pool;
  const known = await findOutcome(db, keyed, madeRow);
  if (known !== null)
    return stillThere(await db.select().from(bookChecks).where(eq(bookChecks.id, known.id)));
  const others = running.get(deps.pool);
  const check = others ?? startCheck(deps, actor, keyed);
  const result = await Promise.race([check, Bun.sleep(waitMaxMs).then(() => null)]);
  if (result !== null && others !== undefined)
    await inTransaction(db, (tx) => once(tx, keyed, madeRow, () => Promise.resolve({ id: result.id })));
  if (result !== null) return result;
  throw new Refusal(503, "still_checking", "The books are still being checked.", {
    detail: "There is much to check, and it goes on. Look at this page again in a minute.",
    retryAfterSeconds: 60,
  });
}

function startCheck(deps: Deps, actor: { id: number }, keyed: MaybeKeyed): Promise<BookCheckRow> {
  const check = checkBooks(deps, actor, keyed).finally(() => running.delete(deps.pool));
  running.set(deps.pool, check);
  // Logged here too, because the requests may have timed out by then.
  check.catch((error: unknown) => deps.log.error({ err: error }, "could not check the books"));
  return check;
}
