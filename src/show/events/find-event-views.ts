import { and, asc, eq, getTableColumns, inArray, ne, notInArray, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import {
  type DecidedPayouts,
  isUnpaid,
  listUnpaidSettlements,
  payoutsInPayment,
} from "#db/ledger/list-settlements.ts";
import { anyOfPlaceholder, writeIntegerArray } from "#db/ledger/query.ts";
import {
  type EventResult,
  type StartMode,
  type UntimedStartMode,
  untimedStartModes,
} from "#db/lists/events.ts";
import { pick } from "#db/pick.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { events, spots } from "#db/schema/events.ts";
import { batchReads } from "#src/base/batcher.ts";
import { present } from "#src/http/present.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { presentPayouts } from "#src/play/calls/present-settlement.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import type { PayingView } from "#src/play/settlements/schemas.ts";
import { poolOf, winnerOf } from "#src/play/spots/contract.ts";
import { presentSpot, type SpotRow } from "#src/play/spots/present-spot.ts";
import { publishedStates } from "./contract.ts";
import { presentPicture } from "./question-picture.ts";
import { eventPlan, type EventPlan, eventSchema, type EventView } from "./schemas.ts";
import type { EventRow } from "./with-event.ts";

type RowsFilter = ({ sessionId: number } | { eventIds: readonly number[] }) & {
  /** True for players: leaves out drafts and hidden events. */
  publishedOnly: boolean;
  /** Includes destroyed events, so that their destruction can be broadcast. */
  destroyedToo?: boolean;
};
export type EventViewsFilter = RowsFilter & {
  /** The player whose calls to include; null: none. */
  viewerId: number | null;
  /** For admins only. */
  withPlan?: boolean;
  /** Decides which calls are cancellable. */
  now: Date;
};

/** The options for what a viewer may see: their own calls; for who runs the session also plans, drafts and hidden events. */
export function viewingAs(viewer: Pick<Viewer, "id"> | null, { runs, now }: { runs: boolean; now: Date }) {
  return { viewerId: viewer?.id ?? null, publishedOnly: !runs, withPlan: runs, now };
}

/** The events of a session, or events by id, ordered by position. At most five queries, however many events. */
export async function findEventViews(db: Queryable, filter: EventViewsFilter): Promise<EventView[]> {
  if ("eventIds" in filter && filter.eventIds.length === 0) return [];
  return withSpotsAndCalls(db, await selectEvents(db, filter), filter);
}

/** One page of a session's events, and the total count. Reads all events of the session, because they are few. */
export async function findEventPage(
  db: Queryable,
  filter: SessionEventsFilter,
  { offset, perPage }: { offset: number; perPage: number },
): Promise<{ events: EventView[]; totalCount: number }> {
  const { events: all, totalCount } = await findOfSession(db, filter);
  const onPage = all.slice(offset, offset + perPage);
  const { viewerId: userId, now } = filter;
  if (userId === null || onPage.length === 0) return { events: onPage, totalCount };
  const calls = await findCallViews(db, { userId, eventIds: onPage.map(({ id }) => id) }, now);
  const byEvent = Map.groupBy(calls, (call) => call.eventId);
  const withCalls = (event: EventView, myCalls: CallView[] | undefined) =>
    myCalls === undefined ? event : { ...event, myCalls };
  return { events: onPage.map((event) => withCalls(event, byEvent.get(event.id))), totalCount };
}

type SessionEventsFilter = Extract<EventViewsFilter, { sessionId: number }>;

/** The events of a session without calls of viewers. All who ask at the same moment share one read. */
const findOfSession = batchReads(
  ({ sessionId, publishedOnly, withPlan, destroyedToo }: SessionEventsFilter) =>
    [sessionId, publishedOnly, withPlan, destroyedToo].join(" "),
  async (db: Queryable, [filter]) => {
    const rows = await selectEvents(db, filter);
    const views = await withSpotsAndCalls(db, rows, { ...filter, viewerId: null });
    const found = { events: views, totalCount: rows.length };
    return () => found;
  },
);

/** One event as this viewer may see it; null if there is none. */
export async function findEventView(
  db: Queryable,
  eventId: number,
  { viewer, now }: { viewer: Viewer; now: Date },
): Promise<EventView | null> {
  const rows = await selectEvents(db, { eventIds: [eventId], publishedOnly: false });
  const runs = can(viewer, "run", { id: rows[0]?.sessionId ?? null });
  const seen = rows.filter(({ state }) => runs || publishedStates.some((published) => published === state));
  const [view] = await withSpotsAndCalls(db, seen, viewingAs(viewer, { runs, now }));
  return view ?? null;
}

function selectEvents(db: Queryable, filter: RowsFilter): Promise<EventRow[]> {
  const { publishedOnly, destroyedToo = false } = filter;
  const variant = { ofSession: "sessionId" in filter, publishedOnly, destroyedToo };
  const key = "sessionId" in filter ? filter.sessionId : writeIntegerArray(filter.eventIds);
  return findEvents(db, variant).execute({ key });
}

const findEvents = prepareQuery(
  (
    db,
    {
      ofSession,
      publishedOnly,
      destroyedToo,
    }: Record<"ofSession" | "publishedOnly" | "destroyedToo", boolean>,
  ) =>
    db
      .select()
      .from(events)
      .where(
        and(
          ofSession ? eq(events.sessionId, sql.placeholder("key")) : anyOfPlaceholder(events.id, "key"),
          publishedOnly ? inArray(events.state, [...publishedStates]) : undefined,
          destroyedToo ? undefined : ne(events.state, "soft_destroyed"),
        ),
      )
      .orderBy(asc(events.position), asc(events.id))
      .prepare("find_events"),
  ({ ofSession, publishedOnly, destroyedToo }) => `${ofSession} ${publishedOnly} ${destroyedToo}`,
);

const findSpots = prepareQuery((db) =>
  db
    .select({
      ...getTableColumns(spots),
      isUnpaid: isUnpaid(spots.eventId),
      payouts: payoutsInPayment(spots.eventId),
    })
    .from(spots)
    .where(anyOfPlaceholder(spots.eventId, "eventIds"))
    .prepare("find_spots"),
);

/** Those of these events whose next one has not opened and waits for a result or for the host, and how it starts. */
const findNextStarts = prepareQuery((db) => {
  const next = alias(events, "next");
  const nextOne = db
    .select({ state: next.state, startMode: next.startMode })
    .from(next)
    .where(
      and(
        eq(next.sessionId, events.sessionId),
        sql`(${next.position}, ${next.id}) > (${events.position}, ${events.id})`,
        notInArray(next.state, ["hidden", "soft_destroyed"]),
      ),
    )
    .orderBy(asc(next.position), asc(next.id))
    .limit(1)
    .as("next_one");
  return db
    .select({ eventId: events.id, startMode: nextOne.startMode })
    .from(events)
    .innerJoinLateral(nextOne, sql`true`)
    .where(
      and(
        anyOfPlaceholder(events.id, "eventIds"),
        inArray(events.state, ["open", "closed", "resolved"]),
        inArray(nextOne.state, ["draft", "visible"]),
        inArray(nextOne.startMode, [...untimedStartModes]),
      ),
    )
    .prepare("find_next_starts");
});

/**
 * Adds spots and calls. An event without spots is left out: a DELETE of its session came between the two statements. One
 * statement that joins the spots would cost the pages a tenth of their speed.
 */
async function withSpotsAndCalls(
  db: Queryable,
  rows: readonly EventRow[],
  { viewerId, withPlan = false, now }: Pick<EventViewsFilter, "viewerId" | "withPlan" | "now">,
): Promise<EventView[]> {
  if (rows.length === 0) return [];
  const eventIds = rows.map(({ id }) => id);
  const idList = writeIntegerArray(eventIds);
  const [spotRows, nextStarts, callViews, unpaid] = await Promise.all([
    findSpots(db).execute({ eventIds: idList }),
    findNextStarts(db).execute({ eventIds: idList }),
    viewerId === null ? [] : findCallViews(db, { userId: viewerId, eventIds }, now),
    withPlan ? listUnpaidSettlements(db, eventIds) : [],
  ]);
  const callsByEvent = Map.groupBy<number, CallView>(callViews, (call) => call.eventId);
  const spotsByEvent = Map.groupBy(spotRows, (spot) => spot.eventId);
  return rows.flatMap((event) => {
    const eventSpots = spotsByEvent.get(event.id) ?? [];
    const trueSpot = eventSpots.find(({ side }) => side === "true");
    const falseSpot = eventSpots.find(({ side }) => side === "false");
    if (trueSpot === undefined || falseSpot === undefined) return [];
    const myCalls = callsByEvent.get(event.id) ?? [];
    const paying = unpaid.find(({ eventId }) => eventId === event.id) ?? null;
    const plan = withPlan ? presentPlan(event, paying && pick(paying, "paidCallsCount", "callsCount")) : null;
    const { isUnpaid, payouts } = trueSpot;
    const nextStart = untimed(nextStarts.find(({ eventId }) => eventId === event.id)?.startMode);
    return [presentEvent(event, { trueSpot, falseSpot, isUnpaid, payouts, nextStart, myCalls, plan })];
  });
}

function untimed(startMode: StartMode | undefined): UntimedStartMode | null {
  return untimedStartModes.find((mode) => mode === startMode) ?? null;
}

type EventParts = {
  trueSpot: SpotRow;
  falseSpot: SpotRow;
  isUnpaid: boolean;
  payouts: DecidedPayouts | null;
  nextStart: EventView["nextStart"];
  myCalls: CallView[];
  plan: EventPlan | null;
};

/**
 * The JSON of an event.
 * @param parts its two spots, whether its settlement has not paid everybody yet and what it pays, how the event after it starts, the
 *   viewer's own calls (none in a broadcast), and its plan (null for all but admins).
 */
function presentEvent(event: EventRow, parts: EventParts): EventView {
  const { trueSpot, falseSpot, isUnpaid, payouts, nextStart, myCalls, plan } = parts;
  const { picture: _picture, explanation: _explanation, ...row } = event;
  return present(eventSchema, {
    ...row,
    ...presentMore(event),
    result: event.result === null ? null : isTrue(event.result),
    voided: event.result === "void",
    settlement: presentSettlement(event, isUnpaid),
    ...(event.result !== null && payouts !== null && { payoutTerms: presentPayouts(payouts) }),
    pendingResult: presentPending(event),
    paysAt: event.pendingResult === null ? null : event.dueAt,
    nextStart,
    spots: [presentSpot(trueSpot, event), presentSpot(falseSpot, event)],
    pool: poolOf(trueSpot.poolCents, falseSpot.poolCents),
    callsCount: trueSpot.callsCount + falseSpot.callsCount,
    myCalls,
    plan,
  });
}

/** The picture, and from the decision on what explains the result. What an event has not, it does not name. */
function presentMore(event: EventRow): Pick<EventView, "picture" | "explanation"> {
  const picture = presentPicture(event.picture, `/api/v1/events/${event.id}`);
  const isDecided = event.result !== null || event.pendingResult !== null;
  const { explanation } = event;
  return { ...(picture !== null && { picture }), ...(isDecided && explanation !== "" && { explanation }) };
}

function presentSettlement({ result }: EventRow, isUnpaid: boolean): EventView["settlement"] {
  if (result === null) return null;
  return isUnpaid ? "paying" : "paid";
}

/** Whether the side "true" won; null where neither did. */
function isTrue(result: EventResult): boolean | null {
  const winner = winnerOf[result];
  return winner === null ? null : winner === "true";
}

function presentPending({ pendingResult }: EventRow): EventView["pendingResult"] {
  return pendingResult === null || pendingResult === "void" ? pendingResult : isTrue(pendingResult);
}

/** The plan of an event, its next timed transition, and how far it is paid. For admins only. */
function presentPlan(event: EventRow, paying: PayingView | null): EventPlan {
  return present(eventPlan, { ...event, paying, decided: presentDecision(event) });
}

function presentDecision({ decidedAt, decidedById, effectiveAt }: EventRow): EventPlan["decided"] {
  if (decidedAt === null) return null;
  return { at: decidedAt.toISOString(), byId: decidedById, effectiveAt: effectiveAt?.toISOString() ?? null };
}
