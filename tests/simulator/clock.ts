import type { DatabasePool } from "#db/client.ts";

/** The game's clock in the hands of a simulation: it stands until it is set, in whole milliseconds since 1970. */
export type Clock = { nowMs: () => number; setMs: (moment: number) => Promise<void> };

/**
 * Takes the game's clock of a pool into the hand. It belongs to one connection, so that the pool must have only one; other
 * databases and connections keep their own time.
 */
export async function controlClock({ sql }: DatabasePool, startMs: number): Promise<Clock> {
  let nowMs = startMs;
  const setMs = async (moment: number) => {
    await sql`SELECT set_config('called_it.clock', ${new Date(moment).toISOString()}, false)`;
    nowMs = moment;
  };
  await setMs(startMs);
  return { nowMs: () => nowMs, setMs };
}
