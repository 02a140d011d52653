import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { listUnpaidSettlements } from "#db/ledger/list-settlements.ts";
import { anyOf } from "#db/ledger/query.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { present } from "#src/http/present.ts";
import { settlingSchema, type SettlingView } from "./schemas.ts";

/** The events whose settlement is still being paid, with its progress. There is rarely one. */
export async function findSettling(db: Queryable): Promise<SettlingView[]> {
  const unpaid = await listUnpaidSettlements(db);
  if (unpaid.length === 0) return [];
  const rows = await db
    .select({ id: events.id, title: events.title, sessionSlug: sessions.slug })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(
      anyOf(
        events.id,
        unpaid.map(({ eventId }) => eventId),
      ),
    );
  const byId = new Map(rows.map((row) => [row.id, row]));
  return unpaid.map((settlement) => {
    const { title: eventTitle = "", sessionSlug = null } = byId.get(settlement.eventId) ?? {};
    const startedAt = settlement.createdAt;
    return present(settlingSchema, { ...settlement, eventTitle, sessionSlug, startedAt });
  });
}
