import { and, asc, eq, inArray, ne } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { listUnpaidSettlements, type UnpaidSettlement } from "#db/ledger/list-unpaid-settlements.ts";
import { events, spots } from "#db/schema/events.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import type { CallView } from "#src/calls/schemas.ts";
import type { PayingView } from "#src/settlements/schemas.ts";
import type { SpotRow } from "#src/spots/present-spot.ts";
import { publishedStates } from "./contract.ts";
import { presentEvent, presentPlan } from "./present-event.ts";
import type { EventView } from "./schemas.ts";
import type { EventRow } from "./with-event.ts";

export type EventsWanted = ({ sessionId: number } | { eventIds: readonly number[] }) & {
  /** Whose calls come along; null: nobody's. */
  viewerId: number | null;
  /** True for players: drafts and hidden events are left out. Destroyed ones are too. */
  publishedOnly: boolean;
  /** For admins alone. */
  withPlan?: boolean;
  /** For telling that an event was destroyed. */
  destroyedToo?: boolean;
  /** Decides what may still be taken back. */
  now: Date;
};

/** The events of a session, or some of them, in the order of their positions. At most four queries, however many there are. */
export async function findEventViews(db: Queryable, wanted: EventsWanted): Promise<EventView[]> {
  if ("eventIds" in wanted && wanted.eventIds.length === 0) return [];
  return withSpotsAndCalls(db, await selectEvents(db, wanted), wanted);
}

/** A page of the same, and how many there are on all pages together. A session's events are few: they are counted here. */
export async function findEventPage(
  db: Queryable,
  wanted: EventsWanted,
  { offset, perPage }: { offset: number; perPage: number },
): Promise<{ events: EventView[]; totalCount: number }> {
  const rows = await selectEvents(db, wanted);
  const onPage = rows.slice(offset, offset + perPage);
  return { events: await withSpotsAndCalls(db, onPage, wanted), totalCount: rows.length };
}

/** One event as this viewer may see it; null where there is none. */
export async function findEventView(
  db: Queryable,
  eventId: number,
  viewing: Pick<EventsWanted, "viewerId" | "publishedOnly" | "withPlan" | "now">,
): Promise<EventView | null> {
  const [view] = await findEventViews(db, { eventIds: [eventId], ...viewing });
  return view ?? null;
}

function selectEvents(db: Queryable, wanted: EventsWanted): Promise<EventRow[]> {
  return db
    .select()
    .from(events)
    .where(
      and(
        "sessionId" in wanted ? eq(events.sessionId, wanted.sessionId) : anyOf(events.id, wanted.eventIds),
        wanted.publishedOnly ? inArray(events.state, [...publishedStates]) : undefined,
        wanted.destroyedToo === true ? undefined : ne(events.state, "soft_destroyed"),
      ),
    )
    .orderBy(asc(events.position), asc(events.id))
    .execute();
}

async function withSpotsAndCalls(
  db: Queryable,
  rows: readonly EventRow[],
  { viewerId, withPlan = false, now }: EventsWanted,
): Promise<EventView[]> {
  if (rows.length === 0) return [];
  const eventIds = rows.map((row) => row.id);
  const [spotRows, callViews, unpaid] = await Promise.all([
    db.select().from(spots).where(anyOf(spots.eventId, eventIds)),
    viewerId === null ? [] : findCallViews(db, { userId: viewerId, eventIds }, now),
    withPlan ? listUnpaidSettlements(db, eventIds) : [],
  ]);
  const spotsByEvent = Map.groupBy<number, SpotRow>(spotRows, (spot) => spot.eventId);
  const callsByEvent = Map.groupBy<number, CallView>(callViews, (call) => call.eventId);
  return rows.map((row) =>
    presentEvent(row, {
      spots: spotsByEvent.get(row.id) ?? [],
      myCalls: callsByEvent.get(row.id) ?? [],
      plan: withPlan ? presentPlan(row, payingOf(row, unpaid)) : null,
    }),
  );
}

function payingOf({ id }: EventRow, unpaid: readonly UnpaidSettlement[]): PayingView | null {
  const settlement = unpaid.find(({ eventId }) => eventId === id);
  if (settlement === undefined) return null;
  const { paidCallsCount, callsCount } = settlement;
  return { paidCallsCount, callsCount };
}
