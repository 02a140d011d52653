const POLL_EVERY_MS = 20;
/** Far longer than anything takes: only a test that fails waits so long, and a busy machine may need it. A test that needs longer says why. */
const GIVE_UP_AFTER_MS = 30_000;
/** For the start of a process of the product: on a busy machine it reads its files and connects for more than 30 s. */
export const PROCESS_STARTS_WITHIN_MS = 120_000;

/**
 * Polls `read` until it returns something other than null or false, and returns that. A look that does not end fails the wait too.
 * @param what the awaited thing, for the error message.
 */
export async function waitFor<Value>(
  what: string,
  read: () => Promise<Value | null | false> | Value | null | false,
  { withinMs = GIVE_UP_AFTER_MS }: { withinMs?: number } = {},
): Promise<Value> {
  return poll(withinMs, () => new Error(`waited ${withinMs} ms for ${what}`), read);
}

/**
 * Asserts again and again until it holds: what is asserted is what is waited for, so nothing can change between the two.
 * @throws with the last failure, which shows the difference.
 */
export async function untilPasses(
  assert: () => unknown,
  { withinMs = GIVE_UP_AFTER_MS } = {},
): Promise<void> {
  let last: unknown = new Error(`waited ${withinMs} ms for the end of ${assert.toString()}`);
  await poll(
    withinMs,
    () => last,
    async () => {
      try {
        await assert();
        return true;
      } catch (error) {
        last = error;
        return false;
      }
    },
  );
}

async function poll<Value>(
  withinMs: number,
  failure: () => unknown,
  read: () => Promise<Value | null | false> | Value | null | false,
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  const late = Promise.withResolvers<never>();
  // The caller handles it.
  late.promise.catch(() => undefined);
  const timer = setTimeout(() => late.reject(failure()), withinMs);
  try {
    for (;;) {
      const value = await Promise.race([read(), late.promise]);
      if (value !== null && value !== false) return value;
      if (performance.now() > giveUpAt) throw failure();
      await Bun.sleep(POLL_EVERY_MS);
    }
  } finally {
    clearTimeout(timer);
  }
}
