import * as v from "valibot";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import { publishedStates } from "#src/events/contract.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { CallCursor, Fact } from "#src/outbox/write-fact.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { forSession, forUser } from "./address-message.ts";
import { type EventChange, eventChanges } from "./contract.ts";
import { findCallsSlice } from "./find-calls-slice.ts";
import type { Messages, Telling } from "./messages.ts";

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
  yield* tellClosedCalls(telling, { eventIds: [...new Set(closed.map(({ event }) => event.id))] });
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

type Closed = { eventIds: readonly number[]; after?: CallCursor };

/** The next owners of calls of closed events hear of them; the others hear later. By now some may be resolved. */
export async function* tellClosedCalls(telling: Telling, { eventIds, after }: Closed): Messages {
  if (eventIds.length === 0) return;
  const { tx, serverTime } = telling;
  const states = ["closed" as const, "resolved" as const];
  const { callIds, next } = await findCallsSlice(tx, { eventIds, round: null, states, after: after ?? null });
  if (next !== null) {
    const left = eventIds.filter((id) => id >= next.eventId);
    telling.rest.push({ kind: "rest_of_close", eventIds: left, after: next });
  }
  const versions = await findVersions(tx, eventIds);
  yield (await findCallViews(tx, { callIds }, new Date(serverTime))).map((call) =>
    forUser(call.userId, {
      sourceType: "Call",
      eventType: "close_call",
      detail: { call, version: versions.get(call.eventId) ?? 0, serverTime },
    }),
  );
}

async function findVersions(tx: Transaction, eventIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await tx
    .select({ id: events.id, version: events.version })
    .from(events)
    .where(anyOf(events.id, eventIds));
  return new Map(rows.map(({ id, version }) => [id, version]));
}
