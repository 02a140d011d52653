import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Transaction } from "#db/client.ts";
import { anyOf } from "#db/ledger/query.ts";
import { type EventChange, eventChanges } from "#db/lists/changes.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import type { CallCursor, Fact } from "#src/base/outbox/write-fact.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { publishedStates } from "#src/show/events/contract.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  forSessionAbout,
  forUser,
  type MessageContext,
  type Messages,
  type RelayedMessage,
} from "./address-message.ts";
import { buildSessionMessages } from "./build-session-messages.ts";

/** A change of a newer release is an update: the message has the whole event. */
const eventChange = v.fallback(v.picklist(eventChanges), "update");
/** These changes remove an event from the players' view. */
const removals: readonly EventChange[] = ["hide", "reset", "destroy"];

/** With these the scores are right again. In between, while a result is paid in parts, the leaders would be those of some players. */
const scoringChanges: readonly EventChange[] = ["pay", "reset"];

/** These may change how many events the session counts: new ones are published at once. */
const countedChanges: readonly EventChange[] = ["publish_event", "hide", "show", "destroy"];

export type EventChanged = Extract<Fact, { kind: "event_changed" }>;

/**
 * A message for each change to the session of its event, with the event's current state. Where events closed, also a message
 * for each of their calls to the player who placed it. Where events came or went, also the session with its count of them.
 */
export async function* buildEventMessages(context: MessageContext, facts: readonly EventChanged[]): Messages {
  const { tx, serverTime } = context;
  const views = await findEventViews(tx, {
    eventIds: [...new Set(facts.map(({ eventId }) => eventId))],
    viewerId: null,
    publishedOnly: false,
    destroyedToo: true,
    now: new Date(serverTime),
  });
  const viewsById = new Map(views.map((view) => [view.id, view]));
  const changes = facts.flatMap((fact) => {
    const event = viewsById.get(fact.eventId);
    return event === undefined ? [] : [{ fact, event, change: v.parse(eventChange, fact.change) }];
  });
  yield changes.flatMap((changed) => sessionMessages(changed, serverTime));
  for (const { event, change } of changes)
    if (scoringChanges.includes(change) && event.sessionId !== null)
      context.changedLeaders.add(event.sessionId);
  const recounted = changes.filter(({ change }) => countedChanges.includes(change));
  for (const sessionId of new Set(recounted.flatMap(({ event }) => event.sessionId ?? [])))
    yield* buildSessionMessages(context, { sessionId, change: "update" });
  const closed = changes.filter(({ change }) => change === "close_event");
  yield* buildClosedCallMessages(context, { eventIds: [...new Set(closed.map(({ event }) => event.id))] });
}

type Changed = { fact: Fact; event: EventView; change: EventChange };

function sessionMessages({ fact, event, change }: Changed, serverTime: string): RelayedMessage[] {
  if (event.sessionId === null || !isForPlayers(event, change)) return [];
  const shown = isPublished(event) ? event : withoutTexts(event);
  const detail = { event: shown, version: event.version, serverTime };
  return [forSessionAbout(fact, event.sessionId, { sourceType: "Event", eventType: change, detail })];
}

/** Players never see drafts. Of an event that was published they also learn that it is removed. */
function isForPlayers(event: EventView, change: EventChange): boolean {
  if (isPublished(event)) return true;
  return removals.includes(change) && (event.publishedAt !== null || change === "reset");
}

const isPublished = ({ state }: EventView) => publishedStates.includes(state);

/** What is removed is named by its id alone: a host may have written another question into it before this message is built. */
function withoutTexts({ spots: [one, other], ...event }: EventView): EventView {
  return {
    ...event,
    title: "",
    description: "",
    picture: undefined,
    explanation: undefined,
    trueLabel: "",
    falseLabel: "",
    resultReason: null,
    spots: [
      { ...one, label: "" },
      { ...other, label: "" },
    ],
  };
}

/**
 * A message for each of the next calls of closed events, to the player who placed it; a follow-up fact carries the rest.
 * Some of these events may be resolved by now.
 */
export async function* buildClosedCallMessages(
  context: MessageContext,
  { eventIds, after }: { eventIds: readonly number[]; after?: CallCursor },
): Messages {
  if (eventIds.length === 0) return;
  const { tx, serverTime } = context;
  const states = ["closed" as const, "resolved" as const];
  const { callIds, next } = await findCallsSlice(tx, { eventIds, round: null, states, after: after ?? null });
  if (next !== null) {
    const remaining = eventIds.filter((id) => id >= next.eventId);
    context.followUps.push({ kind: "rest_of_close", eventIds: remaining, after: next });
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

/** How many calls are broadcast in one transaction. */
const CALLS_AT_ONCE = 500;

type CallsQuery = {
  eventIds: readonly number[];
  /** Null: the current round of each event. */
  round: number | null;
  states: ("closed" | "resolved")[];
  /** The calls behind this one; null: from the first. */
  after: CallCursor | null;
  /** The last player, for a single event; without it all players. */
  toUserId?: number | undefined;
};

/** `next` is where the next slice begins; null after the last one. */
type CallsSlice = { callIds: number[]; next: CallCursor | null };

/** Finds the next calls of these events, in the order of event, player and call. An index serves it. */
export async function findCallsSlice(
  tx: Transaction,
  { eventIds, round, states, after, toUserId }: CallsQuery,
): Promise<CallsSlice> {
  const from = after ?? { eventId: 0, userId: 0, callId: 0 };
  const rows = await tx
    .select({ eventId: calls.eventId, userId: calls.userId, callId: calls.id })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .where(
      and(
        anyOf(calls.eventId, eventIds),
        eq(calls.round, round ?? events.round),
        // Also for one state a list: only then does Postgres see that it implies the condition of the partial index.
        inArray(calls.state, states),
        toUserId === undefined ? undefined : lte(calls.userId, toUserId),
        sql`(${calls.eventId}, ${calls.userId}, ${calls.id}) > (${from.eventId}, ${from.userId}, ${from.callId})`,
      ),
    )
    .orderBy(asc(calls.eventId), asc(calls.userId), asc(calls.id))
    .limit(CALLS_AT_ONCE + 1);
  const slice = rows.slice(0, CALLS_AT_ONCE);
  const next = slice.length < rows.length ? (slice.at(-1) ?? null) : null;
  return { callIds: slice.map(({ callId }) => callId), next };
}

/** A call that was placed or taken back, as it is now. */
export type ChangedCall = {
  call: CallView;
  /** Of the player. */
  username: string;
  /** Of the request that placed it. */
  idempotencyKey: string;
  eventVersion: number;
};

/** Finds calls by their ids, which may occur several times. Two queries, however many calls. */
export async function findChangedCalls(
  tx: Transaction,
  callIds: readonly number[],
  now: Date,
): Promise<Map<number, ChangedCall>> {
  if (callIds.length === 0) return new Map();
  const ids = [...new Set(callIds)];
  const [views, details] = await Promise.all([
    findCallViews(tx, { callIds: ids }, now),
    tx
      .select({
        id: calls.id,
        username: users.username,
        idempotencyKey: calls.idempotencyKey,
        eventVersion: events.version,
      })
      .from(calls)
      .innerJoin(users, eq(users.id, calls.userId))
      .innerJoin(events, eq(events.id, calls.eventId))
      .where(anyOf(calls.id, ids)),
  ]);
  const detailsById = new Map(details.map(({ id, ...rest }) => [id, rest]));
  return new Map(
    views.flatMap((call) => {
      const found = detailsById.get(call.id);
      return found === undefined ? [] : [[call.id, { call, ...found }] as const];
    }),
  );
}
