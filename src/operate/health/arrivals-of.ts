import type { DatabasePool } from "#db/client.ts";
import { createBatcher } from "#src/base/batcher.ts";
import { type Arrivals, readArrivals } from "./read-arrivals.ts";

/** An event whose arrivals are asked for. */
export type ArrivedEvent = { id: number; version: number; isOpen: boolean };

/** The arrivals of an open event change all the time. A read of them is repeated at the earliest after this. */
const REPEAT_AFTER_MS = 900;
/** A read of n milliseconds is repeated after 30 n at the earliest, so that it takes 3 % of a connection at most. */
const REPEAT_AFTER_READS = 30;
const REMEMBERED_MAX = 500;
const BATCH_MAX = 64;

type Remembered = { arrivals: Arrivals[]; version: number; untilMs: number };
const rememberedBy = new WeakMap<DatabasePool, Map<number, Remembered>>();

/**
 * The arrivals of an event, remembered for all admins who watch it: as long as its version is the same, and while it is open for
 * a second at least. However many calls it has, reading them costs little.
 */
export async function arrivalsOf(pool: DatabasePool, event: ArrivedEvent): Promise<Arrivals[]> {
  const remembered = rememberedBy.get(pool)?.get(event.id);
  const isValid = remembered?.version === event.version && performance.now() < remembered.untilMs;
  return isValid ? remembered.arrivals : readAgain(pool, event);
}

const readAgain = createBatcher(BATCH_MAX, readTogether, { collects: true });

async function readTogether(pool: DatabasePool, events: readonly ArrivedEvent[]): Promise<Arrivals[][]> {
  const startMs = performance.now();
  const ids = [...new Set(events.map(({ id }) => id))];
  const byEvent = Map.groupBy(await readArrivals(pool.db, ids), ({ eventId }) => eventId);
  const nowMs = performance.now();
  const repeatAfterMs = Math.max(REPEAT_AFTER_MS, (nowMs - startMs) * REPEAT_AFTER_READS);
  return events.map(({ id, version, isOpen }) => {
    const arrivals = byEvent.get(id) ?? [];
    remember(pool, id, { arrivals, version, untilMs: isOpen ? nowMs + repeatAfterMs : Infinity });
    return arrivals;
  });
}

/** The one that was read longest ago makes way. */
function remember(pool: DatabasePool, id: number, read: Remembered): void {
  const remembered = rememberedBy.get(pool) ?? new Map<number, Remembered>();
  rememberedBy.set(pool, remembered);
  remembered.delete(id);
  remembered.set(id, read);
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_MAX && oldest !== undefined) remembered.delete(oldest);
}
