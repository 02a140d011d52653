import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";

// Players' countdowns follow the time that answers carry, and events close by the clock of the database. So answers carry the
// database's time, and the clock of the web's machine may be wrong.

const MEASURE_EVERY_MS = 5_000;
/** A measurement that took longer says too little. */
const ROUND_TRIP_MAX_MS = 1_000;
/** A larger difference is corrected at once, a smaller one step by step, so that no countdown jumps. */
const STEP_FROM_MS = 1_000;
const SLEW_MAX_MS = 50;

/** The database's time minus this process's own, which no change of the machine's clock moves. Null before the first measurement. */
let offsetMs: number | null = null;

/** Now, by the clock of the database; by that of this machine until the database was asked. */
export function serverNow(): Date {
  return new Date(offsetMs === null ? Date.now() : performance.now() + offsetMs);
}

/**
 * Asks the database for its time every 5 s. While it is away the clock runs on.
 * @returns stop: ends it, and forgets what was measured.
 */
export async function followDatabaseClock(pool: Pick<DatabasePool, "sql">): Promise<{ stop: () => void }> {
  const measureAgain = () => measure(pool).catch(() => undefined);
  const timer = setInterval(() => void measureAgain(), MEASURE_EVERY_MS);
  timer.unref();
  await Promise.race([measureAgain(), Bun.sleep(ROUND_TRIP_MAX_MS)]);
  return {
    stop: () => {
      clearInterval(timer);
      offsetMs = null;
    },
  };
}

/** How far this machine's clock is from that of the database, in milliseconds, as last measured; where it was not, it is measured now. */
export async function clockApartMs(pool: Pick<DatabasePool, "sql">): Promise<number> {
  const theirsMs = offsetMs ?? (await readOffset(pool));
  return Math.abs(performance.now() + theirsMs - Date.now());
}

const clockRow = v.object({ ms: v.number() });

async function measure(pool: Pick<DatabasePool, "sql">): Promise<void> {
  const measured = await readOffset(pool);
  offsetMs = offsetMs === null ? measured : approach(offsetMs, measured);
}

/** Takes the database's time as that of the middle of the round trip. @throws Error if that took too long to say it. */
async function readOffset({ sql }: Pick<DatabasePool, "sql">): Promise<number> {
  const askedAt = performance.now();
  const [row] = await sql`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`;
  const answeredAt = performance.now();
  if (answeredAt - askedAt > ROUND_TRIP_MAX_MS)
    throw new Error("The database took too long to say its time.");
  return v.parse(clockRow, row).ms - (askedAt + answeredAt) / 2;
}

function approach(current: number, measured: number): number {
  const difference = measured - current;
  if (Math.abs(difference) >= STEP_FROM_MS) return measured;
  return current + Math.max(-SLEW_MAX_MS, Math.min(SLEW_MAX_MS, difference));
}
