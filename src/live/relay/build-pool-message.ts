import type { Queryable } from "#db/client.ts";
import { readClock } from "#src/base/outbox/outbox-rows.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { forSession } from "./address-message.ts";
import type { ChangedCall } from "./find-changed-calls.ts";
import type { MessageContext, RecentCall } from "./message-context.ts";

/** How many of the newest calls a pool message contains. */
export const RECENT_CALLS_MAX = 5;

/**
 * Adds the events of these calls to `changedPools`, each with its newest calls for the ticker. Cancelled calls are not
 * among them.
 */
export function collectChangedPools(
  { changedPools }: Pick<MessageContext, "changedPools">,
  changedCalls: readonly ChangedCall[],
): void {
  for (const { call, username } of changedCalls) {
    const recent = changedPools.get(call.eventId) ?? [];
    if (call.state !== "soft_destroyed") {
      const { side, wager, wagerCents } = call;
      recent.push({ username, side, wager, wagerCents });
    }
    changedPools.set(call.eventId, recent.slice(-RECENT_CALLS_MAX));
  }
}

/** A message to the session of an event, with the event's current pool; null if players may not see the event. */
export async function buildPoolMessage(
  db: Queryable,
  eventId: number,
  latest: readonly RecentCall[],
): Promise<(Broadcast & { sessionId: number }) | null> {
  const serverTime = await readClock(db);
  const [event] = await findEventViews(db, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: true,
    now: new Date(serverTime),
  });
  if (event === undefined || event.sessionId === null) return null;
  const { sessionId, pool, callsCount, version } = event;
  const message = forSession(sessionId, {
    sourceType: "Spot",
    eventType: "pool",
    detail: { eventId, pool, callsCount, latest: [...latest], version, serverTime },
  });
  return { ...message, sessionId };
}
