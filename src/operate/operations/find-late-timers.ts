import { asc, eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { LATE_AFTER_MS, ROWS_SHOWN } from "./contract.ts";
import type { LateTimerView } from "./schemas.ts";

/** The transitions that are late by the database's clock, the latest first. */
export async function findLateTimers(db: Queryable): Promise<LateTimerView[]> {
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
    .limit(ROWS_SHOWN);
  return rows.flatMap(({ transition, dueAt, lateMs, ...event }) =>
    transition === null || dueAt === null ? [] : [{ event, transition, dueAt: dueAt.toISOString(), lateMs }],
  );
}
