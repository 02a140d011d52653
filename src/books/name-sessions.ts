import { eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { DifferingRow } from "#db/ledger/list-differing-rows.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { FindingRow } from "./schemas.ts";

/** Says of each row to which session its event belongs, so that a page can lead there. */
export async function nameSessions(db: Queryable, rows: readonly DifferingRow[]): Promise<FindingRow[]> {
  const eventIds = rows.flatMap(({ eventId }) => eventId ?? []);
  const found = await db
    .select({ eventId: events.id, slug: sessions.slug })
    .from(events)
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(inArray(events.id, eventIds));
  const slugs = new Map(found.map(({ eventId, slug }) => [eventId, slug]));
  return rows.map((row) => ({ ...row, sessionSlug: slugs.get(row.eventId ?? 0) ?? null }));
}
