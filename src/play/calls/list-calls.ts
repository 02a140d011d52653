import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import { queryRows, wholeNumber, writeIntegerArray } from "#db/ledger/query.ts";
import { readCallTotals } from "#db/ledger/read-wallet.ts";
import { playersOf } from "#db/players-of.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { results } from "#db/schema/scores.ts";
import { sessions } from "#db/schema/sessions.ts";
import { batchReads } from "#src/base/batcher.ts";
import { notFound } from "#src/base/refusal.ts";
import { listMeta, type Page, type Slice, sliceOf, totalOf } from "#src/http/list-meta.ts";
import { present } from "#src/http/present.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { readSessionKey, requireSessionId, type SessionAsker } from "#src/play/find-session-id.ts";
import { countCalls, findCallViews, keptCountOfCalls } from "./find-call-views.ts";
import {
  type callsAnswer,
  type CallsQuery,
  type CallView,
  type ListedCall,
  type resultsAnswer,
  resultSchema,
  type ResultView,
} from "./schemas.ts";

type Asked = { viewer: { id: number }; query: CallsQuery; page: Page };
type CallsAnswer = v.InferOutput<typeof callsAnswer>;

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** A page of calls that was read together with the sign-in; null for another one. */
    knownCalls?: (asked: Asked) => Promise<CallsAnswer> | null;
  }
}

const streakRow = v.object({ user_id: wholeNumber, event_id: wholeNumber, won: wholeNumber });

/** One page of the viewer's own calls, newest first. */
export async function listCalls(
  db: Queryable,
  { viewer, query, page }: Asked,
  { now, asker }: { now: Date; asker: SessionAsker },
): Promise<CallsAnswer> {
  const { active, sessionId, ...rest } = query;
  const session = sessionId === undefined ? undefined : readSessionKey(sessionId);
  if (session === null) throw notFound();
  const filter = {
    ...rest,
    userId: viewer.id,
    session,
    active: active === undefined ? undefined : active === "true",
  };
  const keptCount = await keptCountOfCalls(db, filter);
  const slice = keptCount === null ? { limit: page.perPage, offset: page.offset } : sliceOf(page, keptCount);
  // An unknown session has no calls: whether it is one is asked at the same time.
  const [calls] = await Promise.all([
    slice.limit === 0 ? [] : findCallViews(db, { ...filter, page: slice }, now),
    requireSessionId(db, sessionId, asker),
  ]);
  const totalCount = keptCount ?? (await totalOf(page, calls.length, () => countCalls(db, filter)));
  return { calls: await withStreaks(db, viewer.id, calls), meta: listMeta(page, totalCount, now) };
}

/** Only calls that were right have a streak: a page without one costs no query. */
async function withStreaks(db: Queryable, userId: number, calls: readonly CallView[]): Promise<ListedCall[]> {
  const sessionIds = [...new Set(calls.filter(isRight).flatMap(({ sessionId }) => sessionId ?? []))];
  const streaks: Streaks =
    sessionIds.length === 0 ? new Map() : await findStreaks(db, { userId, sessionIds });
  return calls.map((call) => ({
    ...call,
    streak: isRight(call) ? (streaks.get(call.eventId) ?? 0) : 0,
  }));
}

function isRight({ outcome, refundReason }: CallView): boolean {
  return outcome === "won" || refundReason === "no_loser";
}

type AskedStreaks = { userId: number; sessionIds: readonly number[] };
/** How many events in a row a player had been right about, by the id of the last of them. */
type Streaks = ReadonlyMap<number, number>;

/**
 * The streaks of a player in these sessions, up to each event that the player was right about: won, or right while nobody had called
 * the other side. An event that was refunded otherwise, or even, neither breaks a streak nor counts. Players who ask at the same moment share one read.
 */
const findStreaks = batchReads(
  () => "",
  async (db: Queryable, players: readonly AskedStreaks[]): Promise<(asked: AskedStreaks) => Streaks> => {
    const asked = players.flatMap(({ userId, sessionIds }) => sessionIds.map((id) => [userId, id] as const));
    const userIds = writeIntegerArray(asked.map(([userId]) => userId));
    const sessionIds = writeIntegerArray(asked.map(([, sessionId]) => sessionId));
    // Event by event, as in find-call-views.ts: a session has fewer events than a player has results.
    const rows = await queryRows(db, streakRow)`
      WITH asked AS (
        SELECT DISTINCT * FROM unnest(${userIds}::bigint[], ${sessionIds}::bigint[]) AS pair (user_id, session_id)
      ), runs AS (
        SELECT asked.*, own.event_id, own.resolved_at, own.net_cents > 0 OR (own.refunded AND was_unopposed(own.event_id)) AS is_right,
          count(*) FILTER (WHERE own.net_cents < 0)
          OVER (PARTITION BY asked.user_id, asked.session_id ORDER BY own.resolved_at, own.event_id) AS run
        FROM asked JOIN ${events} e ON e.session_id = asked.session_id CROSS JOIN LATERAL (
          SELECT r.* FROM ${results} r WHERE r.event_id = e.id AND r.user_id = asked.user_id OFFSET 0
        ) AS own
      ), streaks AS (
        SELECT user_id, event_id, is_right, count(*) FILTER (WHERE is_right)
          OVER (PARTITION BY user_id, session_id, run ORDER BY resolved_at, event_id) AS won
        FROM runs
      )
      SELECT user_id, event_id, won FROM streaks WHERE is_right`;
    const byUser = Map.groupBy(rows, (row) => row.user_id);
    return ({ userId }) => new Map((byUser.get(userId) ?? []).map(({ event_id, won }) => [event_id, won]));
  },
);

/**
 * One page of a player's resolved calls, newest result first: in the order in which their settlements were decided. The index
 * `calls_user_ended` has this order, so that a page of a long record reads no older calls.
 */
export async function listResults(
  db: Queryable,
  { userId, page }: { userId: number; page: Page },
  now: Date,
): Promise<v.InferOutput<typeof resultsAnswer>> {
  const { resolvedCalls: totalCount } = await readCallTotals(db, userId);
  if (totalCount === 0) await requireUser(db, userId);
  const rows = await findResults(db, { userId, slice: sliceOf(page, totalCount) });
  return { results: rows.map(presentResult), meta: listMeta(page, totalCount, now) };
}

function findResults(
  db: Queryable,
  { userId, slice }: { userId: number; slice: Slice },
): Promise<ResultRow[]> {
  const order = slice.fromEnd ? asc : desc;
  // Skipped calls are not joined.
  const own = db
    .select({ id: calls.id, endedAt: calls.endedAt })
    .from(calls)
    .where(and(sql`${calls.userId} = player.id`, sql`${calls.state} = 'resolved'`, isNotNull(calls.endedAt)))
    .orderBy(order(calls.endedAt), order(calls.id))
    .limit(slice.limit + slice.offset);
  const ids = sql`(SELECT own.id FROM ${playersOf(userId)} AS player CROSS JOIN LATERAL ${own} AS own
    ORDER BY ${order(sql`own.ended_at`)}, ${order(sql`own.id`)} LIMIT ${slice.limit} OFFSET ${slice.offset})`;
  return selectResults(db)
    .where(sql`${calls.id} IN ${ids}`)
    .orderBy(desc(calls.endedAt), desc(calls.id));
}

function selectResults(db: Queryable) {
  return db
    .select({
      id: calls.id,
      eventId: calls.eventId,
      eventTitle: earlierTextsOf.eventTitle,
      sessionSlug: sessions.slug,
      side: spots.side,
      wagerCents: calls.wagerCents,
      outcome: calls.outcome,
      payoutCents: calls.payoutCents,
      resolvedAt: events.resolvedAt,
      settledAt: calls.updatedAt,
    })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .innerJoin(events, eq(events.id, calls.eventId))
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .leftJoin(earlierTextsOfCall, sql`TRUE`);
}

type ResultRow = Awaited<ReturnType<typeof selectResults>>[number];

function presentResult(row: ResultRow): ResultView {
  const { id, outcome, payoutCents, wagerCents } = row;
  if (outcome === null || payoutCents === null) throw new Error(`call ${id} is resolved without an outcome`);
  const netCents = payoutCents - wagerCents;
  // An event that was reset after its result has no `resolvedAt`.
  const resolvedAt = row.resolvedAt ?? row.settledAt;
  return present(resultSchema, { ...row, callId: id, outcome, payoutCents, netCents, resolvedAt });
}
