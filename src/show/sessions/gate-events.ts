import { and, asc, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { gateEvent } from "#db/ledger/gate-event.ts";
import type { EventState } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { clockText } from "#src/show/events/with-event.ts";

/**
 * Takes the gates of a session's events in these states: from here on no call is in flight on them. The caller has locked the
 * session's row, so that no event changes its state in the meantime.
 * @returns the moment on the database's clock when all gates are held, ISO 8601.
 */
export async function gateEvents(
  tx: Transaction,
  sessionId: number,
  states: readonly EventState[],
): Promise<string> {
  const rows = await tx
    .select({ id: events.id })
    .from(events)
    .where(and(eq(events.sessionId, sessionId), inArray(events.state, [...states])))
    .orderBy(asc(events.id));
  if (rows.length > 0) await gateEvent(tx, ...rows.map(({ id }) => id));
  const [clock] = await tx.select({ at: clockText }).from(sessions).where(eq(sessions.id, sessionId));
  if (clock === undefined) throw new Error(`session ${sessionId} is missing although its row is locked`);
  return clock.at;
}
