import { and, asc, desc, eq, isNotNull, sql } from "drizzle-orm";
import type * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import { readCallTotals } from "#db/ledger/read-call-totals.ts";
import { playersOf } from "#db/players-of.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { listMeta, type Page, type Slice, sliceOf } from "#src/http/list-meta.ts";
import { dollarsOf } from "#src/http/money.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import type { ResultView, resultsAnswer } from "./schemas.ts";

/**
 * One page of a player's resolved calls, newest result first: in the order in which their settlements were decided. The index
 * `calls_user_ended` has this order, so that a page of a long record reads no older calls.
 * @throws Refusal 404 for an unknown user.
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
  const { id, outcome, payoutCents, wagerCents, resolvedAt, settledAt, ...rest } = row;
  if (outcome === null || payoutCents === null) throw new Error(`call ${id} is resolved without an outcome`);
  return {
    id,
    callId: id,
    ...rest,
    wager: dollarsOf(wagerCents),
    wagerCents,
    outcome,
    payout: dollarsOf(payoutCents),
    payoutCents,
    net: dollarsOf(payoutCents - wagerCents),
    netCents: payoutCents - wagerCents,
    // An event that was reset after its result has no `resolvedAt`.
    resolvedAt: (resolvedAt ?? settledAt).toISOString(),
  };
}
