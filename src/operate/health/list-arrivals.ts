import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool, Queryable } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";
import { writeIntegerArray } from "#db/ledger/write-array.ts";
import { sides } from "#db/lists/spots.ts";
import { createBatcher } from "#src/base/batcher.ts";

const arrivalsRow = v.object({
  eventId: wholeNumber,
  side: v.picklist(sides),
  /** Whole seconds before the close: 0 is the last second. */
  second: wholeNumber,
  calls: wholeNumber,
  wagerCents: wholeNumber,
});
/** The calls of one side of an event within one second. */
export type Arrivals = v.InferOutput<typeof arrivalsRow>;

/** An event whose arrivals are asked for. */
type ArrivedEvent = { id: number; version: number; isOpen: boolean };

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
export async function listArrivals(pool: DatabasePool, event: ArrivedEvent): Promise<Arrivals[]> {
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

/**
 * The calls of these events, without cancelled ones, by side and second before the close. It reads all calls of the events' current
 * rounds, through the index by event: its answer is remembered.
 */
function readArrivals(db: Queryable, eventIds: readonly number[]): Promise<Arrivals[]> {
  return queryRows(
    db,
    arrivalsRow,
    sql`SELECT e.id AS "eventId", s.side, count(*) AS calls, sum(c.wager_cents) AS "wagerCents",
        greatest(0, floor(extract(epoch FROM coalesce(e.closed_at, e.closes_at) - c.placed_at)))::int AS second
      FROM events e
        JOIN spots s ON s.event_id = e.id
        JOIN calls c ON c.event_id = e.id AND c.spot_id = s.id AND c.round = e.round AND c.state <> 'soft_destroyed'
      WHERE e.id = ANY (${writeIntegerArray(eventIds)}::bigint[])
      GROUP BY e.id, s.side, second`,
  );
}
