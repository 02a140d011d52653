import type { Deps } from "#src/base/deps.ts";
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
  { waitMaxMs = WAIT_MAX_MS }: { waitMaxMs?: number } = {},
): Promise<BookCheckRow> {
  const check = running.get(deps.pool) ?? startCheck(deps, actor);
  const result = await Promise.race([check, Bun.sleep(waitMaxMs).then(() => null)]);
  if (result !== null) return result;
  throw new Refusal(503, "still_checking", "The books are still being checked.", {
    detail: "There is much to check, and it goes on. Look at this page again in a minute.",
    retryAfterSeconds: 60,
  });
}

function startCheck(deps: Deps, actor: { id: number }): Promise<BookCheckRow> {
  const check = checkBooks(deps, actor).finally(() => running.delete(deps.pool));
  running.set(deps.pool, check);
  // Logged here too, because the requests may have timed out by then.
  check.catch((error: unknown) => deps.log.error({ err: error }, "could not check the books"));
  return check;
}
