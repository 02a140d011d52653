/** At most this many pages fetch in a second, however many are open. */
const REFETCHES_PER_SECOND = 500;
const DELAY_MIN_MS = 500;
const DELAY_MAX_MS = 60_000;

/**
 * How long a page waits before it fetches a change that all players see at once, in milliseconds.
 * Example: with 5,000 players the requests are spread over 10 seconds.
 * @param playersCount how many pages may fetch.
 * @param random from 0 to 1, different on each page.
 */
export function refetchDelayMs(playersCount: number, random: number): number {
  const spreadMs = (playersCount / REFETCHES_PER_SECOND) * 1_000;
  return Math.min(DELAY_MAX_MS, Math.max(DELAY_MIN_MS, spreadMs)) * random;
}
