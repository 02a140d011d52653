import type { DatabasePool } from "#db/client.ts";

/** The game's clock, controlled by a simulation: it only moves when it is set, in whole milliseconds since 1970. */
export type VirtualClock = { nowMs: () => number; setMs: (moment: number) => Promise<void> };

/**
 * Controls the game's clock of a pool. The clock belongs to one connection, so the pool must have only one. Other connections
 * and databases are not affected.
 */
export async function controlClock({ sql }: DatabasePool, startMs: number): Promise<VirtualClock> {
  let nowMs = startMs;
  const setMs = async (moment: number) => {
    await sql`SELECT set_config('called_it.clock', ${new Date(moment).toISOString()}, false)`;
    nowMs = moment;
  };
  await setMs(startMs);
  return { nowMs: () => nowMs, setMs };
}
