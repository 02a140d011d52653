/** So many look up their own row in a second at most, however many watch. */
const LOOKS_PER_SECOND = 500;
const WAIT_MIN_MS = 500;
const WAIT_MAX_MS = 60_000;

/**
 * How long a page waits before it asks the server for what changed for everybody at once, in milliseconds.
 * @param playersCount how many may ask.
 * @param chance from 0 to 1, another one on each page.
 */
export function waitToLookMs(playersCount: number, chance: number): number {
  const spreadMs = (playersCount / LOOKS_PER_SECOND) * 1_000;
  return Math.min(WAIT_MAX_MS, Math.max(WAIT_MIN_MS, spreadMs)) * chance;
}
