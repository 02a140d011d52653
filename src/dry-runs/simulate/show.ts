import { asc, eq, inArray } from "drizzle-orm";
import type { DatabasePool } from "#db/client.ts";
import type { Side } from "#db/lists/spots.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Alarm, Queues } from "#src/base/queues.ts";
import { REST_MS } from "#src/show/events/with-event.ts";

export type AcceptedCall = {
  callId: number;
  userId: number;
  spotId: number;
  wagerCents: number;
  key: string;
};

/** A simulated show: it runs through the product's verbs and SQL, on a virtual clock, in a database that only it uses. */
export type Show = {
  clock: VirtualClock;
  queue: VirtualQueue;
  deps: Deps;
  sessionIds: readonly number[];
  /** In the order of creation. */
  eventIds: number[];
  spotIds: Map<number, Record<Side, number>>;
  /** In the order in which they were accepted. */
  calls: AcceptedCall[];
  /** What each player was granted, in cents. */
  grantedCents: ReadonlyMap<number, number>;
  /** A sweep runs once a second, this many milliseconds after the full second. */
  sweepPhaseMs: number;
  /** The id of the last fact before this show. */
  lastFactId: number;
  /** Gets what happens, in words without row ids. */
  note: (what: string) => void;
};

/** An event's name in words: its position in the order of creation. */
export const nameOf = ({ eventIds }: Pick<Show, "eventIds">, eventId: number) =>
  `event ${eventIds.indexOf(eventId) + 1}`;

/** The show's events, each with its session. It is read often, so it has only the columns that are used. */
export function readSnapshots({ deps, eventIds }: Pick<Show, "deps" | "eventIds">) {
  return deps.pool.db
    .select(snapshotColumns)
    .from(events)
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(inArray(events.id, eventIds))
    .orderBy(asc(events.id));
}
export type EventSnapshot = Awaited<ReturnType<typeof readSnapshots>>[number];

const snapshotColumns = {
  event: {
    id: events.id,
    position: events.position,
    startMode: events.startMode,
    state: events.state,
    round: events.round,
    result: events.result,
    pendingResult: events.pendingResult,
    opensAt: events.opensAt,
    closesAt: events.closesAt,
    nextTransition: events.nextTransition,
    dueAt: events.dueAt,
    remainingMs: events.remainingMs,
  },
  session: { id: sessions.id, state: sessions.state, active: sessions.active, pausedAt: sessions.pausedAt },
};

export async function readSpots(
  { pool }: Pick<Deps, "pool">,
  eventIds: readonly number[],
): Promise<Map<number, Record<Side, number>>> {
  const rows = await pool.db
    .select({ id: spots.id, eventId: spots.eventId, side: spots.side })
    .from(spots)
    .where(inArray(spots.eventId, [...eventIds]));
  const spotIds = new Map(eventIds.map((id) => [id, { true: 0, false: 0 }]));
  for (const { id, eventId, side } of rows) Object.assign(spotIds.get(eventId) ?? {}, { [side]: id });
  return spotIds;
}

export function spotOf({ spotIds }: Pick<Show, "spotIds">, eventId: number, side: Side): number {
  const both = spotIds.get(eventId);
  if (both === undefined) throw new Error(`event ${eventId} is not of this show`);
  return both[side];
}

/** What is going to happen, in the order of time. */
export type Agenda<Item> = {
  add: (items: readonly Item[]) => void;
  /** When the next item is; null if there is none. */
  nextMs: () => number | null;
  /** Removes and returns the next item. Of the same moment, the one that was added first. */
  takeNext: () => Item | null;
};

export function createAgenda<Item extends { atMs: number }>(): Agenda<Item> {
  let items: Item[] = [];
  return {
    add: (added) => {
      // The sort is stable.
      items = [...items, ...added].toSorted((one, other) => one.atMs - other.atMs);
    },
    nextMs: () => items[0]?.atMs ?? null,
    takeNext: () => items.shift() ?? null,
  };
}

type Alarms = Agenda<{ alarm: Alarm; atMs: number }>;

/** The queue of alarms in memory. Nothing is delivered by itself: who runs the simulation takes the alarms. */
export type VirtualQueue = Pick<Queues, "setAlarm"> &
  Pick<Alarms, "nextMs" | "takeNext"> & {
    /** Sets an alarm again that was delivered too early, as the worker does. It is then delivered on time. */
    reschedule: (alarm: Alarm, delayMs: number) => void;
  };

/** How an alarm is delivered: by how many milliseconds each of its deliveries is late, or early if negative. None: it is lost. */
type Deliveries = (delayMs: number) => readonly number[];

/**
 * Creates a queue.
 * @param nowMs the simulation's clock.
 * @param deliveries default: once, on time.
 */
export function createVirtualQueue(nowMs: () => number, deliveries: Deliveries = () => [0]): VirtualQueue {
  const { add, nextMs, takeNext }: Alarms = createAgenda();
  return {
    nextMs,
    takeNext,
    reschedule: (alarm, delayMs) => add([{ alarm, atMs: nowMs() + delayMs }]),
    setAlarm: (alarm, delayMs) => {
      // This clock has whole milliseconds: the due moment itself is not too early.
      const onTimeMs = nowMs() + Math.max(0, Math.round(delayMs) - REST_MS);
      add(deliveries(delayMs).map((lateMs) => ({ alarm, atMs: onTimeMs + lateMs })));
      return Promise.resolve();
    },
  };
}

/** The game's clock, controlled by a simulation: it only moves when it is set, in whole milliseconds since 1970. */
type VirtualClock = { nowMs: () => number; setMs: (moment: number) => Promise<void> };

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
