import { asc, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { queryValue } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { serverNow } from "#src/base/server-clock.ts";
import { notPaused } from "#src/base/try-rows.ts";

/** A large settlement takes some seconds. */
const UNPAID_MS = 10_000;
/** And has paid its first calls before this. */
const UNTOUCHED_MS = 2_500;

/** The results that are late in paying all their players, the oldest first. */
export async function findLateSettlements(db: Queryable) {
  const nowMs = serverNow().getTime();
  return (await listUnpaidSettlements(db)).flatMap((settlement) => {
    const ageMs = nowMs - settlement.createdAt.getTime();
    return ageMs > (settlement.paidCallsCount === 0 ? UNTOUCHED_MS : UNPAID_MS)
      ? [{ ...settlement, ageMs }]
      : [];
  });
}

/** A timer that is later than this is late: the sweep performs what no job has performed a second after its time. */
const LATE_AFTER_MS = 2_000;
const ROWS_MAX = 10;

/** The transitions that are late by the database's clock, the latest first. */
export async function findLateTimers(db: Queryable) {
  const rows = await db
    .select({
      id: events.id,
      title: events.title,
      sessionSlug: sessions.slug,
      transition: events.nextTransition,
      dueAt: events.dueAt,
      lateMs: sql<number>`round(extract(epoch FROM game_now() - ${events.dueAt}) * 1000)::float8`,
    })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(sql`${events.dueAt} < game_now() - ${LATE_AFTER_MS} * interval '1 millisecond'`)
    .orderBy(asc(events.dueAt))
    .limit(ROWS_MAX);
  return rows.flatMap(({ transition, dueAt, lateMs, ...event }) =>
    transition === null || dueAt === null ? [] : [{ event, transition, dueAt: dueAt.toISOString(), lateMs }],
  );
}

/** How long the oldest fact has waited to be broadcast. It reads one entry of an index that has the waiting facts alone. */
export async function readBehindMs(db: Queryable): Promise<number> {
  const ms = await queryValue(db, v.number())`SELECT coalesce((
      SELECT greatest(0, extract(epoch FROM game_now() - created_at) * 1000)
      FROM outbox WHERE sent_at IS NULL AND ${notPaused("fact", sql`outbox.id`)} ORDER BY id LIMIT 1
    ), 0)::float8`;
  return Math.round(ms);
}
