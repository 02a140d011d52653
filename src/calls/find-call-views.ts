import { and, asc, count, desc, eq, inArray, isNotNull, ne, notInArray, or, type SQL } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { type CallState, type outcomes } from "#db/lists/calls.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { activeCallStates } from "./contract.ts";
import { presentCall } from "./present-call.ts";
import type { CallView } from "./schemas.ts";

/**
 * A filter on a player's calls. Calls that the player cancelled are left out unless `state` names theirs. Refunded calls are in
 * the player's record, whether a settlement, a skip, a reset or an admin refunded them.
 */
export type PlayerCallsFilter = {
  userId: number;
  sessionId?: number | undefined;
  state?: CallState | undefined;
  active?: boolean | undefined;
  outcome?: (typeof outcomes)[number] | undefined;
  idempotencyKey?: string | undefined;
};

export type CallsFilter =
  /** Calls of any player, ordered by id. */
  | { callIds: readonly number[] }
  /** A player's calls of the current round of these events, without cancelled calls, oldest first. */
  | { userId: number; eventIds: readonly number[] }
  /** A page of a player's calls, newest first. */
  | (PlayerCallsFilter & { page: { limit: number; offset: number } });

/** Finds calls with their event, side and session, in one query. */
export async function findCallViews(db: Queryable, filter: CallsFilter, now: Date): Promise<CallView[]> {
  if ("callIds" in filter) {
    if (filter.callIds.length === 0) return [];
    const rows = await selectCalls(db, anyOf(calls.id, filter.callIds)).orderBy(asc(calls.id));
    return rows.map((row) => presentCall(row, now));
  }
  if ("eventIds" in filter) {
    if (filter.eventIds.length === 0) return [];
    const rows = await selectCalls(db, ofEvents(filter.userId, filter.eventIds)).orderBy(asc(calls.id));
    return rows.map((row) => presentCall(row, now));
  }
  const rows = await selectCalls(db, ofPlayer(filter))
    .orderBy(desc(calls.id))
    .limit(filter.page.limit)
    .offset(filter.page.offset);
  return rows.map((row) => presentCall(row, now));
}

/** The number of calls that match the filter. */
export async function countCalls(db: Queryable, filter: PlayerCallsFilter): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .where(ofPlayer(filter));
  return row?.total ?? 0;
}

function ofEvents(userId: number, eventIds: readonly number[]): SQL | undefined {
  return and(
    inArray(calls.eventId, [...eventIds]),
    eq(calls.userId, userId),
    eq(calls.round, events.round),
    inArray(calls.state, ["placed", "closed", "resolved"]),
  );
}

function ofPlayer(filter: PlayerCallsFilter): SQL | undefined {
  return and(
    eq(calls.userId, filter.userId),
    filter.state === undefined ? onRecord : eq(calls.state, filter.state),
    filter.sessionId === undefined ? undefined : eq(events.sessionId, filter.sessionId),
    filter.active === undefined ? undefined : ofActivity(filter.active),
    filter.outcome === undefined ? undefined : ofOutcome(filter.outcome),
    filter.idempotencyKey === undefined ? undefined : eq(calls.idempotencyKey, filter.idempotencyKey),
  );
}

/** All but the calls that their player cancelled. */
const onRecord = or(ne(calls.state, "soft_destroyed"), isNotNull(calls.refundedBy));

const ofActivity = (active: boolean): SQL | undefined =>
  active ? inArray(calls.state, [...activeCallStates]) : notInArray(calls.state, [...activeCallStates]);

function ofOutcome(outcome: (typeof outcomes)[number]): SQL | undefined {
  const ofResult = eq(calls.outcome, outcome);
  return outcome === "refunded" ? or(ofResult, isNotNull(calls.refundedBy)) : ofResult;
}

function selectCalls(db: Queryable, where: SQL | undefined) {
  return db
    .select({
      id: calls.id,
      userId: calls.userId,
      eventId: calls.eventId,
      spotId: calls.spotId,
      state: calls.state,
      wagerCents: calls.wagerCents,
      outcome: calls.outcome,
      payoutCents: calls.payoutCents,
      refundedBy: calls.refundedBy,
      placedAt: calls.placedAt,
      side: spots.side,
      eventTitle: events.title,
      eventState: events.state,
      trueLabel: events.trueLabel,
      falseLabel: events.falseLabel,
      closesAt: events.closesAt,
      resolvedAt: events.resolvedAt,
      sessionId: events.sessionId,
      sessionSlug: sessions.slug,
      sessionName: sessions.name,
      sessionPausedAt: sessions.pausedAt,
    })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .innerJoin(events, eq(events.id, calls.eventId))
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(where);
}
