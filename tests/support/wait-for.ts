const POLL_EVERY_MS = 20;
/** Far longer than anything takes: only a test that fails waits so long, and a busy machine may need it. */
const GIVE_UP_AFTER_MS = 60_000;

/**
 * Polls `read` until it returns something other than null or false, and returns that.
 * @param what the awaited thing, for the error message.
 */
export async function waitFor<Value>(
  what: string,
  read: () => Promise<Value | null | false> | Value | null | false,
  { withinMs = GIVE_UP_AFTER_MS }: { withinMs?: number } = {},
): Promise<Value> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const value = await read();
    if (value !== null && value !== false) return value;
    if (performance.now() > giveUpAt) throw new Error(`waited ${withinMs} ms for ${what}`);
    await Bun.sleep(POLL_EVERY_MS);
  }
}
