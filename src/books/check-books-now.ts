import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { type BookCheckRow, checkBooks } from "./check-books.ts";

/** Nobody waits longer at a page. */
const PATIENCE_MS = 15_000;

const running = new WeakMap<Deps["pool"], Promise<BookCheckRow>>();

/**
 * Checks the books because somebody asks for it. Whoever asks while a check runs is given its result.
 * @throws Refusal 503 where it takes long: it goes on, and is there when they look again.
 */
export async function checkBooksNow(
  deps: Deps,
  actor: { id: number },
  { patienceMs: waitMaxMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<BookCheckRow> {
  const check = running.get(deps.pool) ?? begin(deps, actor);
  const done = await Promise.race([check, Bun.sleep(waitMaxMs).then(() => null)]);
  if (done !== null) return done;
  throw new Refusal(503, "still_checking", "The books are still being checked.", {
    detail: "There is much to check, and it goes on. Look at this page again in a minute.",
    retryAfterSeconds: 60,
  });
}

function begin(deps: Deps, actor: { id: number }): Promise<BookCheckRow> {
  const check = checkBooks(deps, actor).finally(() => running.delete(deps.pool));
  running.set(deps.pool, check);
  // Whoever waits hears of it too; perhaps nobody does any more.
  check.catch((error: unknown) => deps.log.error({ err: error }, "could not check the books"));
  return check;
}
