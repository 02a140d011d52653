import { and, asc, eq, gt, inArray } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { forSession, forUser } from "#src/broadcast.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import { type EventView, publishedStates } from "#src/events/contract.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import { type EventChange, eventChanges } from "./contract.ts";
import type { Messages, Telling } from "./telling.ts";

const CALLS_AT_ONCE = 500;
const eventChange = v.picklist(eventChanges);
/** By these an event leaves the players' sight. */
const departures: readonly EventChange[] = ["hide", "reset", "destroy"];

/** Everybody in the session hears how the event stands; when it closed, each owner hears of the own calls. */
export async function* tellEventChange(
  telling: Telling,
  { eventId, change: name }: { eventId: number; change: string },
): Messages {
  const { tx, serverTime } = telling;
  const now = new Date(serverTime);
  const [event] = await findEventViews(tx, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    destroyedToo: true,
    now,
  });
  if (event === undefined) return;
  const change = v.parse(eventChange, name);
  if (event.sessionId !== null && isForPlayers(event, change)) {
    yield [
      forSession(event.sessionId, {
        sourceType: "Event",
        eventType: change,
        detail: { event, version: event.version, serverTime },
      }),
    ];
  }
  if (change === "close_event") yield* tellCallers(telling, event);
}

/** A draft is nobody's business; what was published may be seen to go. */
function isForPlayers(event: EventView, change: EventChange): boolean {
  if (publishedStates.includes(event.state)) return true;
  return departures.includes(change) && (event.publishedAt !== null || change === "reset");
}

async function* tellCallers({ tx, serverTime }: Telling, event: EventView): Messages {
  const now = new Date(serverTime);
  for (let after = 0; ;) {
    const ids = await findClosedCallIds(tx, event.id, after);
    const views = await findCallViews(tx, { callIds: ids }, now);
    yield views.map((call) =>
      forUser(call.userId, {
        sourceType: "Call",
        eventType: "close_call",
        detail: { call, version: event.version, serverTime },
      }),
    );
    if (ids.length < CALLS_AT_ONCE) return;
    after = ids.at(-1) ?? after;
  }
}

/** The calls of the event's round that went through its close; by now they may be resolved. */
async function findClosedCallIds(tx: Transaction, eventId: number, after: number): Promise<number[]> {
  const rows = await tx
    .select({ id: calls.id })
    .from(calls)
    .innerJoin(events, and(eq(events.id, calls.eventId), eq(events.round, calls.round)))
    .where(and(eq(calls.eventId, eventId), inArray(calls.state, ["closed", "resolved"]), gt(calls.id, after)))
    .orderBy(asc(calls.id))
    .limit(CALLS_AT_ONCE);
  return rows.map(({ id }) => id);
}
