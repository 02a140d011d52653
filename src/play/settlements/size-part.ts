/** A player of the part who places a call meanwhile waits at most about this long. */
const TARGET_MS = 40;
const PART_MIN = 250;
const PART_MAX = 5_000;

/**
 * The number of calls of the next part, so that it takes about 40 ms: others wait for the wallets of a part until it commits, and
 * each part has a cost of its own.
 * @param callsCount of the part before.
 * @param tookMs with its commit.
 * @returns 250 to 5,000; null for the ledger's settle_part_max, if the part before had fewer calls: it says little.
 */
export function sizePart(callsCount: number, tookMs: number): number | null {
  if (callsCount < PART_MIN) return null;
  const fitting = Math.floor((callsCount * TARGET_MS) / tookMs);
  return Math.min(Math.max(fitting, PART_MIN), PART_MAX);
}
