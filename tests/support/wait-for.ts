const POLL_EVERY_MS = 20;
const GIVE_UP_AFTER_MS = 15_000;

/**
 * Waits until a condition holds: asks again until `ask` answers something other than null or false.
 * @param what is missing, for the message when it never comes.
 */
export async function waitFor<Answer>(
  what: string,
  ask: () => Promise<Answer | null | false> | Answer | null | false,
  { withinMs = GIVE_UP_AFTER_MS }: { withinMs?: number } = {},
): Promise<Answer> {
  const giveUpAt = performance.now() + withinMs;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > giveUpAt) throw new Error(`waited ${withinMs} ms in vain for ${what}`);
    await Bun.sleep(POLL_EVERY_MS);
  }
}
