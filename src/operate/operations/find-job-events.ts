import { eq } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Queryable } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { EventRef } from "./schemas.ts";

/** An event with its schedule. */
export type JobEvent = EventRef & { dueAt: Date | null; scheduleVersion: number };

/** The events that jobs are about, by their ids. */
export async function findJobEvents(
  db: Queryable,
  eventIds: readonly number[],
): Promise<ReadonlyMap<number, JobEvent>> {
  const ids = [...new Set(eventIds)].filter((id) => Number.isSafeInteger(id));
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({
      id: events.id,
      title: events.title,
      sessionSlug: sessions.slug,
      dueAt: events.dueAt,
      scheduleVersion: events.scheduleVersion,
    })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(events.id, ids));
  return new Map(rows.map((row) => [row.id, row]));
}
