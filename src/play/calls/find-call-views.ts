import { and, asc, count, desc, eq, inArray, isNotNull, notInArray, or, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import type { CallRow } from "#db/ledger/place-calls.ts";
import { anyOf, anyOfPlaceholder, writeIntegerArray } from "#db/ledger/query.ts";
import { readCallTotals } from "#db/ledger/read-wallet.ts";
import type { Outcome, RefundReason } from "#db/lists/calls.ts";
import { pick } from "#db/pick.ts";
import { accountOf, playersOf } from "#db/players-of.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { batchReads } from "#src/base/batcher.ts";
import { present } from "#src/http/present.ts";
import type { SessionKey } from "#src/play/find-session-id.ts";
import { activeCallStates, whyNotCancel } from "./contract.ts";
import { callSchema, type CallsQuery, type CallView } from "./schemas.ts";

/**
 * A filter on a player's calls. Whatever became of a call, it stays in the player's record: also one that the player cancelled.
 */
type PlayerCallsFilter = Omit<CallsQuery, "sessionId" | "active"> & {
  userId: number;
  session?: SessionKey | undefined;
  active?: boolean | undefined;
  /** False leaves out those that the player cancelled. */
  cancelled?: false | undefined;
};

type CallsFilter =
  /** Calls of any player, ordered by id. */
  | { callIds: readonly number[] }
  /** A player's calls of the current round of these events, without cancelled calls, oldest first. */
  | { userId: number; eventIds: readonly number[] }
  /** A page of a player's calls, newest first. */
  | (PlayerCallsFilter & { page: Page });

/** `fromEnd`: counted from the oldest call. */
type Page = { limit: number; offset: number; fromEnd?: boolean };

/** Finds calls with their event, side and session, in one query. */
export async function findCallViews(db: Queryable, filter: CallsFilter, now: Date): Promise<CallView[]> {
  if ("callIds" in filter) {
    if (filter.callIds.length === 0) return [];
    const rows = await selectCalls(db, anyOf(calls.id, filter.callIds)).orderBy(asc(calls.id));
    return rows.map((row) => presentCall(row, now));
  }
  if ("eventIds" in filter) {
    if (filter.eventIds.length === 0) return [];
    const { userId, eventIds } = filter;
    const rows = await findOfEvents(db).execute({ userId, eventIds: writeIntegerArray(eventIds) });
    return rows.map((row) => presentCall(row, now));
  }
  const rows = await findPage(db, filter);
  return rows.map((row) => presentCall(row, now));
}

/** The order of placing, in which the index `calls_user_placed` has the calls of a player. */
const newestFirst = [desc(calls.placedAt), desc(calls.id)];
const oldestFirst = [asc(calls.placedAt), asc(calls.id)];

const findOfEvents = prepareQuery((db) =>
  selectCalls(db, ofEvents()).orderBy(asc(calls.id)).prepare("find_calls"),
);

/** Players who ask for the same page of the calls in a session at the same moment share one read. */
const findPage = batchReads(
  (filter: PlayerCallsFilter & { page: Page }) => JSON.stringify({ ...filter, userId: null }),
  async (db: Queryable, players) => {
    const [{ page, ...filter }] = players;
    const userIds = writeIntegerArray([...new Set(players.map(({ userId }) => userId))]);
    const { fromEnd = false, ...range } = page;
    const reach = range.limit + range.offset;
    const rows = await selectPages(db, { ...filter, fromEnd }).execute({
      ...filter,
      ...range,
      reach,
      userIds,
    });
    const byUser = Map.groupBy(rows, ({ userId }) => userId);
    return ({ userId }) => byUser.get(userId) ?? [];
  },
);

const selectPages = prepareQuery((db, filter: PlayerCallsFilter & { fromEnd: boolean }) => {
  // The ids of the pages first: skipped calls are not joined with their events.
  const own = db
    .select({ id: calls.id, placedAt: calls.placedAt })
    .from(calls)
    .where(ofPlayer(filter, sql`family.id`))
    .orderBy(...(filter.fromEnd ? oldestFirst : newestFirst))
    .limit(sql.placeholder("reach"));
  const direction = sql.raw(filter.fromEnd ? "ASC" : "DESC");
  const players = sql`unnest((SELECT ${sql.placeholder("userIds")}::bigint[])) AS player(id)`;
  const inPages = sql`${calls.id} IN (SELECT page.id FROM ${players} CROSS JOIN LATERAL (
    SELECT own.id FROM ${playersOf(sql`player.id`)} AS family CROSS JOIN LATERAL ${own} AS own
    ORDER BY own.placed_at ${direction}, own.id ${direction}
    LIMIT ${sql.placeholder("limit")} OFFSET ${sql.placeholder("offset")}) AS page)`;
  return selectCalls(db, inPages)
    .orderBy(...newestFirst)
    .prepare("find_page_of_calls");
}, variantOf);

const countPage = prepareQuery(
  (db, filter: PlayerCallsFilter) =>
    db
      .select({ total: count() })
      .from(calls)
      .innerJoin(sql`${playersOf(sql`${sql.placeholder("userId")}::bigint`)} AS family`, sql`TRUE`)
      .where(ofPlayer(filter, sql`family.id`))
      .prepare("count_calls"),
  variantOf,
);

/** What decides on the text of a query with this filter. The other values are placeholders. */
function variantOf(filter: PlayerCallsFilter & { fromEnd?: boolean }): string {
  const { session, eventId, state, active, outcome, idempotencyKey, cancelled, fromEnd = false } = filter;
  const given = [eventId, state, idempotencyKey, cancelled].map((value) => value !== undefined);
  return [typeof session, ...given, active, outcome, fromEnd].join(" ");
}

/**
 * The number of calls that match the filter, as the wallet keeps it: of all calls, the active ones, the others, and the resolved
 * ones. Null for another filter: its calls must be counted.
 */
export async function keptCountOfCalls(db: Queryable, filter: PlayerCallsFilter): Promise<number | null> {
  const { userId, active, state, ...others } = filter;
  if (Object.values(others).some((value) => value !== undefined)) return null;
  if (state !== undefined && (state !== "resolved" || active !== undefined)) return null;
  const { allCalls, activeCalls, resolvedCalls } = await readCallTotals(db, userId);
  if (state === "resolved") return resolvedCalls;
  if (active === undefined) return allCalls;
  return active ? activeCalls : allCalls - activeCalls;
}

export async function countCalls(db: Queryable, filter: PlayerCallsFilter): Promise<number> {
  const [row] = await countPage(db, filter).execute({ ...filter });
  return row?.total ?? 0;
}

function ofEvents(): SQL | undefined {
  return and(
    anyOfPlaceholder(calls.eventId, "eventIds"),
    eq(calls.userId, sql.placeholder("userId")),
    eq(calls.round, events.round),
    inArray(calls.state, ["placed", "closed", "resolved"]),
  );
}

/** With a placeholder for each value but the player's id, which is an expression. */
function ofPlayer(filter: PlayerCallsFilter, userId: SQL): SQL | undefined {
  return and(
    filter.session === undefined ? eq(calls.userId, userId) : inSession(filter.session, userId),
    filter.eventId === undefined ? undefined : eq(calls.eventId, sql.placeholder("eventId")),
    filter.state === undefined ? undefined : eq(calls.state, sql.placeholder("state")),
    filter.active === undefined ? undefined : ofActivity(filter.active),
    filter.outcome === undefined ? undefined : ofOutcome(filter.outcome),
    filter.cancelled === undefined ? undefined : notCancelled,
    filter.idempotencyKey === undefined
      ? undefined
      : eq(calls.idempotencyKey, sql.placeholder("idempotencyKey")),
  );
}

/**
 * The player's calls in a session, looked up event by event, because a session has few events. Postgres would read all calls of
 * the player instead: it expects as many as an average player has. OFFSET 0 keeps the two queries apart.
 */
function inSession(session: SessionKey, userId: SQL): SQL {
  const key = sql.placeholder("session");
  const id =
    typeof session === "number" ? sql`${key}` : sql`(SELECT s.id FROM ${sessions} s WHERE s.slug = ${key})`;
  return sql`${calls.id} = ANY (ARRAY(
    SELECT own.id FROM ${events} e CROSS JOIN LATERAL (
      SELECT c.id FROM ${calls} c WHERE c.event_id = e.id AND c.user_id = ${userId} OFFSET 0
    ) AS own WHERE e.session_id = ${id}))`;
}

/**
 * The state is no parameter: Postgres would expect hardly any rows, and sort all calls of the player instead of reading a page in
 * order.
 */
const notCancelled = sql`(${calls.state} <> 'soft_destroyed' OR ${calls.refundedBy} IS NOT NULL)`;

const ofActivity = (active: boolean): SQL | undefined =>
  active ? inArray(calls.state, [...activeCallStates]) : notInArray(calls.state, [...activeCallStates]);

function ofOutcome(outcome: Outcome): SQL | undefined {
  const ofResult = eq(calls.outcome, outcome);
  return outcome === "refunded" ? or(ofResult, isNotNull(calls.refundedBy)) : ofResult;
}

/** Of a call that the result of its round has refunded. */
const refundReason = sql<RefundReason | null>`CASE
  WHEN ${calls.outcome} IS DISTINCT FROM 'refunded' OR ${calls.round} <> ${events.round} THEN NULL
  WHEN ${events.result} = 'void' THEN 'void'
  WHEN (SELECT other.pool_cents FROM ${spots} other
    WHERE other.event_id = ${calls.eventId} AND other.id <> ${calls.spotId}) > 0 THEN NULL
  WHEN ${events.result} = ${spots.side} THEN 'no_loser' ELSE 'no_winner' END`;

function selectCalls(db: Queryable, where: SQL | undefined) {
  return db
    .select({
      id: calls.id,
      userId: accountOf(calls.userId).mapWith(Number),
      ...pick(calls, "eventId", "spotId", "state", "wagerCents", "outcome", "payoutCents", "refundedBy"),
      refundReason,
      placedAt: calls.placedAt,
      side: spots.side,
      ...earlierTextsOf,
      eventState: events.state,
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
    .leftJoin(earlierTextsOfCall, sql`TRUE`)
    .where(where);
}

/**
 * The JSON of a call. `now` decides whether it is cancellable. A call that was refunded without a result has the outcome
 * "refunded" and its wager as payout, like one that a settlement refunded.
 */
export function presentCall(row: CallRow & Pick<CallView, "refundReason">, now: Date): CallView {
  const refunded = row.refundedBy !== null;
  const outcome = refunded ? "refunded" : row.outcome;
  const payoutCents = refunded ? row.wagerCents : row.payoutCents;
  const netCents = payoutCents === null ? null : payoutCents - row.wagerCents;
  return present(callSchema, {
    ...row,
    label: row.side === "true" ? row.trueLabel : row.falseLabel,
    active: activeCallStates.includes(row.state),
    cancellable: isCancellable(row, now),
    outcome,
    payoutCents,
    netCents,
    resolvedAt: row.state === "resolved" ? row.resolvedAt : null,
  });
}

function isCancellable(row: CallRow, now: Date): boolean {
  const { state, eventState, placedAt, closesAt, sessionPausedAt } = row;
  const terms = {
    state,
    eventState,
    placedAtMs: placedAt.getTime(),
    closesAtMs: closesAt?.getTime() ?? null,
    pausedAtMs: sessionPausedAt?.getTime() ?? null,
    nowMs: now.getTime(),
  };
  return whyNotCancel(terms) === null;
}
