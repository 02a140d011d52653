import { asc, eq, inArray } from "drizzle-orm";
import type { Side } from "#db/lists/spots.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import type { VirtualClock } from "./virtual-clock.ts";
import type { VirtualQueue } from "./virtual-queue.ts";

/** A call that was accepted, with its request. */
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

/** The spots of these events, by event and side. */
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

/** The spot of a side. */
export function spotOf({ spotIds }: Pick<Show, "spotIds">, eventId: number, side: Side): number {
  const both = spotIds.get(eventId);
  if (both === undefined) throw new Error(`event ${eventId} is not of this show`);
  return both[side];
}
