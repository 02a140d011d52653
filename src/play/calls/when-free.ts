import { Refusal } from "#src/base/refusal.ts";

/**
 * How long a change of a call waits before each further try. A close holds its event for milliseconds, a part of
 * a settlement its wallets for some 40 ms, so the first tries come soon. A transaction whose process is frozen holds them for seconds,
 * and meanwhile no connection may wait for it: the other events need them.
 */
const WAITS_MS = [10, 10, 10, 10, 20, 40, 100, 200, 400, 800];
const RETRY_AFTER_S = 1;

/**
 * Changes a call as soon as no other transaction holds its event or its player's wallet.
 * @param change waits for no lock; null: one is held, and nothing has changed.
 * @throws Refusal 503 `event_busy` after 1.6 s.
 */
export async function whenFree<Answer>(change: () => Promise<Answer | null>): Promise<Answer> {
  for (const waitMs of WAITS_MS) {
    const answer = await change();
    if (answer !== null) return answer;
    await Bun.sleep(waitMs);
  }
  const answer = await change();
  if (answer === null) throw eventBusy();
  return answer;
}

function eventBusy(): Refusal {
  return new Refusal(503, "event_busy", "This event is busy. Nothing was changed. Try again in a moment.", {
    retryAfterSeconds: RETRY_AFTER_S,
  });
}
