import { and, asc, eq, gt, inArray } from "drizzle-orm";
import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { type Broadcast, forSession, forUser } from "#src/broadcast.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import { type EventView, publishedStates } from "#src/events/contract.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { Fact } from "#src/outbox.ts";
import { type EventChange, eventChanges } from "./contract.ts";
import type { Messages, Telling } from "./telling.ts";

const CALLS_AT_ONCE = 500;
const eventChange = v.picklist(eventChanges);
/** By these an event leaves the players' sight. */
const departures: readonly EventChange[] = ["hide", "reset", "destroy"];

export type EventChanged = Extract<Fact, { kind: "event_changed" }>;

/**
 * Everybody in their sessions hears how the events stand, change by change; when some closed, each owner hears of the own
 * calls.
 */
export async function* tellEventChanges(telling: Telling, facts: readonly EventChanged[]): Messages {
  const { tx, serverTime } = telling;
  const views = await findEventViews(tx, {
    eventIds: [...new Set(facts.map(({ eventId }) => eventId))],
    viewerId: null,
    publishedOnly: false,
    destroyedToo: true,
    now: new Date(serverTime),
  });
  const viewsById = new Map(views.map((view) => [view.id, view]));
  const told = facts.flatMap(({ eventId, change: name }) => {
    const event = viewsById.get(eventId);
    return event === undefined ? [] : [{ event, change: v.parse(eventChange, name) }];
  });
  yield told.flatMap(({ event, change }) => tellSession(event, change, serverTime));
  const closed = told.filter(({ change }) => change === "close_event");
  yield* tellCallers(telling, new Map(closed.map(({ event }) => [event.id, event])));
}

function tellSession(event: EventView, change: EventChange, serverTime: string): Broadcast[] {
  if (event.sessionId === null || !isForPlayers(event, change)) return [];
  const detail = { event, version: event.version, serverTime };
  return [forSession(event.sessionId, { sourceType: "Event", eventType: change, detail })];
}

/** A draft is nobody's business; what was published may be seen to go. */
function isForPlayers(event: EventView, change: EventChange): boolean {
  if (publishedStates.includes(event.state)) return true;
  return departures.includes(change) && (event.publishedAt !== null || change === "reset");
}

async function* tellCallers({ tx, serverTime }: Telling, closed: ReadonlyMap<number, EventView>): Messages {
  if (closed.size === 0) return;
  const now = new Date(serverTime);
  for (let after = 0; ;) {
    const ids = await findClosedCallIds(tx, [...closed.keys()], after);
    const views = await findCallViews(tx, { callIds: ids }, now);
    yield views.map((call) =>
      forUser(call.userId, {
        sourceType: "Call",
        eventType: "close_call",
        detail: { call, version: closed.get(call.eventId)?.version ?? 0, serverTime },
      }),
    );
    if (ids.length < CALLS_AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}

/** The calls of the events' rounds that went through their close; by now they may be resolved. */
async function findClosedCallIds(
  tx: Transaction,
  eventIds: readonly number[],
  after: number,
): Promise<number[]> {
  const rows = await tx
    .select({ id: calls.id })
    .from(calls)
    .innerJoin(events, and(eq(events.id, calls.eventId), eq(events.round, calls.round)))
    .where(
      and(anyOf(calls.eventId, eventIds), inArray(calls.state, ["closed", "resolved"]), gt(calls.id, after)),
    )
    .orderBy(asc(calls.id))
    .limit(CALLS_AT_ONCE);
  return rows.map(({ id }) => id);
}
