import { type SQL, sql, type SQLWrapper } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { queryFirst, queryRows, queryValue, wholeNumber, writeIntegerArray } from "./query.ts";
import { hasPaid } from "./wallet-moves.ts";

const settlement = v.object({
  id: wholeNumber,
  /** 1, plus 1 for every correction. */
  version: wholeNumber,
  result: v.picklist(results),
  /** Calls placed at or after it were refunded. */
  effectiveAt: v.nullable(v.date()),
  reason: v.nullable(v.string()),
  /** The pool without the calls that were refunded because of `effectiveAt`. */
  poolCents: wholeNumber,
  winningPoolCents: wholeNumber,
  refundedCents: wholeNumber,
  createdAt: v.date(),
});
export type Settlement = v.InferOutput<typeof settlement>;

const callSettlement = v.object({
  ...settlement.entries,
  payoutCents: wholeNumber,
  outcome: v.picklist(outcomes),
});
export type CallSettlement = v.InferOutput<typeof callSettlement>;

const liveSettlement = v.object({
  id: wholeNumber,
  result: v.picklist(results),
  effectiveAt: v.nullable(v.date()),
});

/** The settlements of an event's round: the first, and each correction. The last one is live. */
export function listSettlements(db: Queryable, eventId: number): Promise<Settlement[]> {
  return queryRows(db, settlement)`
    SELECT ${columns} FROM events e JOIN settlements s ON s.event_id = e.id AND s.round = e.round ${reasons}
    WHERE e.id = ${eventId} ORDER BY s.version`;
}

/** The settlements of a call's round that have paid it, with what each of them pays it. */
export function listCallSettlements(db: Queryable, callId: number): Promise<CallSettlement[]> {
  return queryRows(db, callSettlement)`SELECT ${columns}, l.payout_cents AS "payoutCents", l.outcome
    FROM calls c JOIN settlements s ON s.event_id = c.event_id AND s.round = c.round
      JOIN settlement_lines l ON l.settlement_id = s.id AND l.call_id = c.id ${reasons}
    WHERE c.id = ${callId} AND ${hasPaid} ORDER BY s.version`;
}

const columns: SQL = sql`s.id, s.version, s.result, s.effective_at AS "effectiveAt", j.reason,
  s.pool_cents AS "poolCents", s.winning_pool_cents AS "winningPoolCents", s.refunded_cents AS "refundedCents",
  s.created_at AS "createdAt"`;
const reasons: SQL = sql`JOIN journal j ON j.id = s.journal_id`;

type LiveSettlement = v.InferOutput<typeof liveSettlement>;

/** The live settlement of an event's current round, after all corrections; null if there is none. */
export function findSettlement(db: Queryable, eventId: number): Promise<LiveSettlement | null> {
  return queryFirst(db, liveSettlement)`SELECT s.id, s.result, s.effective_at AS "effectiveAt"
    FROM settlements s JOIN events e ON e.id = s.event_id AND e.round = s.round
    WHERE s.event_id = ${eventId} AND NOT s.superseded`;
}

const decision = v.object({
  eventId: wholeNumber,
  /** The result that is paid; null while it waits. */
  result: v.nullable(v.picklist(results)),
  decidedAt: v.date(),
  resolvedAt: v.nullable(v.date()),
  /** When the result was corrected last, and what it was before that. */
  correctedAt: v.nullable(v.date()),
  was: v.nullable(v.picklist(results)),
});
/** What was decided on an event, pending or not. */
export type ResultDecision = v.InferOutput<typeof decision>;

/** What was decided or corrected last in a session, the newest first. */
export function readDecisions(db: Queryable, sessionId: number, limit: number): Promise<ResultDecision[]> {
  // Results of before the column was there have no moment of their decision.
  return queryRows(db, decision)`
    SELECT e.id AS "eventId", e.result, coalesce(e.decided_at, e.resolved_at) AS "decidedAt",
      e.resolved_at AS "resolvedAt", s.created_at AS "correctedAt", b.result AS was
    FROM events e
      LEFT JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded AND s.version > 1
      LEFT JOIN settlements b ON b.event_id = e.id AND b.round = e.round AND b.version = s.version - 1
    WHERE e.session_id = ${sessionId} AND e.state IN ('closed', 'resolved')
      AND coalesce(e.decided_at, e.resolved_at) IS NOT NULL
    ORDER BY greatest(s.created_at, coalesce(e.decided_at, e.resolved_at)) DESC, e.id DESC LIMIT ${limit}`;
}

/** When a result that counts for a span of time was corrected last, after its end; null if none was. */
export function findCorrectionAfter(
  db: Queryable,
  { startsAt, endsAt }: { startsAt: Date; endsAt: Date },
): Promise<Date | null> {
  return queryValue(db, v.nullable(v.date()))`SELECT max(s.created_at) FROM events e
      JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND s.version > 1
    WHERE e.resolved_at >= ${startsAt.toISOString()}::timestamptz AND e.resolved_at < ${endsAt.toISOString()}::timestamptz
      AND s.created_at >= ${endsAt.toISOString()}::timestamptz`;
}

const unpaidSettlement = v.object({
  eventId: wholeNumber,
  callsCount: wholeNumber,
  paidCallsCount: wholeNumber,
  createdAt: v.date(),
});
export type UnpaidSettlement = v.InferOutput<typeof unpaidSettlement>;

/**
 * The live settlements that have not paid all players yet, oldest first: at most one for each event. Usually there is none.
 * @param eventIds only of these events. @param condition on a column `event_id`.
 */
export function listUnpaidSettlements(
  db: Queryable,
  eventIds?: readonly number[],
  condition = sql`true`,
): Promise<UnpaidSettlement[]> {
  const ofEvents =
    eventIds === undefined ? sql`` : sql`AND event_id = ANY (${writeIntegerArray(eventIds)}::bigint[])`;
  return queryRows(db, unpaidSettlement)`SELECT event_id AS "eventId", calls_count AS "callsCount",
      paid_calls_count AS "paidCallsCount", created_at AS "createdAt"
    FROM settlements WHERE paid_at IS NULL AND NOT superseded ${ofEvents} AND ${condition} ORDER BY id`;
}

/** What decides each payout of a settlement: its pools, and the last call that gets one of the remaining cents, with its remainder. */
export type DecidedPayouts = Pick<
  Settlement,
  "result" | "poolCents" | "winningPoolCents" | "refundedCents"
> & {
  lastRemainder: number;
  lastCallId: number;
};

/**
 * For a SELECT: what decides each payout of the event's round, while its first result is being paid; otherwise null. Null too where calls
 * came after the moment that decided it: which ones, only the database's clock says.
 */
export const payoutsInPayment = (eventId: SQLWrapper): SQL<DecidedPayouts | null> =>
  sql<DecidedPayouts | null>`CASE WHEN ${isUnpaid(eventId)} THEN (
    SELECT json_build_object('result', s.result, 'poolCents', s.pool_cents, 'winningPoolCents', s.winning_pool_cents,
      'refundedCents', s.refunded_cents, 'lastRemainder', s.last_remainder, 'lastCallId', s.last_call_id)
    FROM (SELECT ${eventId} AS id) asked JOIN events e ON e.id = asked.id
      JOIN settlements s ON s.event_id = e.id AND s.round = e.round AND NOT s.superseded
    WHERE s.paid_at IS NULL AND s.version = 1 AND s.effective_at IS NULL AND s.last_call_id IS NOT NULL
  ) END`;

/** For a SELECT: true while the event's settlement has not paid all players yet. @param eventId a column. */
export const isUnpaid = (eventId: SQLWrapper): SQL<boolean> =>
  sql<boolean>`${eventId} IN (SELECT event_id FROM settlements WHERE paid_at IS NULL AND NOT superseded)`;
