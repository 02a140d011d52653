import type { Deferred } from "#client/base/deferred/deferred.ts";

// Decision: a page whose deferred parts are there within milliseconds leaves in one piece. Streamed, the same page costs up to
// twice the CPU. The wait is counted in turns of the event loop, because in a busy process data that has arrived is read a few
// turns later. It is long enough for a query that reads for 30 pages at once, and too short to be noticed.

const TURNS_MAX = 20;
const TURN_MS = 1;

/**
 * Waits for the deferred parts of a page, but only for 20 turns of the event loop of at least 1 ms each: a slow part does not
 * hold up the page.
 */
export async function waitForDeferred(parts: readonly Deferred[]): Promise<void> {
  const pending = parts.filter(({ settled }) => settled === null);
  if (pending.length === 0) return;
  let allSettled = false;
  const settling = Promise.all(pending.map(({ outcome }) => outcome)).then(() => {
    allSettled = true;
  });
  const waitTurns = async () => {
    for (let turn = 0; turn < TURNS_MAX && !allSettled; turn += 1) await Bun.sleep(TURN_MS);
  };
  await Promise.race([settling, waitTurns()]);
}
