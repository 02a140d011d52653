import type { Queryable } from "#db/client.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { Side } from "#src/spots/contract.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { forSession } from "./address-message.ts";
import { readClock } from "./outbox-rows.ts";

/** How many of the newest calls a pool message names. */
export const LATEST_MAX = 5;

/** A call as the ticker shows it; the wager in dollars. */
export type Latest = { username: string; side: Side; wager: number };

/** An event's pool as it stands now, for everybody in its session; null where nobody may see the event. */
export async function tellPool(
  db: Queryable,
  eventId: number,
  latest: readonly Latest[],
): Promise<Broadcast | null> {
  const serverTime = await readClock(db);
  const wanted = { eventIds: [eventId], viewerId: null, publishedOnly: true, now: new Date(serverTime) };
  const [event] = await findEventViews(db, wanted);
  if (event === undefined || event.sessionId === null) return null;
  const { pool, callsCount, version } = event;
  return forSession(event.sessionId, {
    sourceType: "Spot",
    eventType: "pool",
    detail: { eventId, pool, callsCount, latest: [...latest], version, serverTime },
  });
}
