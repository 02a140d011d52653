import { asc, eq, inArray } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import { dollarsOf } from "#src/http/money.ts";
import { readClock } from "#src/outbox/outbox-rows.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { forSession } from "./address-message.ts";
import type { MessageContext, RecentCall } from "./message-context.ts";

/** How many of the newest calls a pool message contains. */
export const RECENT_CALLS_MAX = 5;

/**
 * Adds the events of these calls to `changedPools`, each with its newest calls for the ticker. Cancelled calls are not
 * among them.
 * @returns the players who placed the calls, possibly several times.
 */
export async function collectChangedPools(
  { tx, changedPools }: Pick<MessageContext, "tx" | "changedPools">,
  callIds: readonly number[],
): Promise<number[]> {
  if (callIds.length === 0) return [];
  const rows = await tx
    .select({
      userId: calls.userId,
      eventId: calls.eventId,
      state: calls.state,
      side: spots.side,
      wagerCents: calls.wagerCents,
      username: users.username,
    })
    .from(calls)
    .innerJoin(spots, eq(spots.id, calls.spotId))
    .innerJoin(users, eq(users.id, calls.userId))
    .where(inArray(calls.id, [...new Set(callIds)]))
    .orderBy(asc(calls.id));
  for (const { eventId, state, username, side, wagerCents } of rows) {
    const recent = changedPools.get(eventId) ?? [];
    if (state !== "soft_destroyed") recent.push({ username, side, wager: dollarsOf(wagerCents) });
    changedPools.set(eventId, recent.slice(-RECENT_CALLS_MAX));
  }
  return rows.map(({ userId }) => userId);
}

/** A message to the session of an event, with the event's current pool; null if players may not see the event. */
export async function buildPoolMessage(
  db: Queryable,
  eventId: number,
  latest: readonly RecentCall[],
): Promise<Broadcast | null> {
  const serverTime = await readClock(db);
  const [event] = await findEventViews(db, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: true,
    now: new Date(serverTime),
  });
  if (event === undefined || event.sessionId === null) return null;
  const { pool, callsCount, version } = event;
  return forSession(event.sessionId, {
    sourceType: "Spot",
    eventType: "pool",
    detail: { eventId, pool, callsCount, latest: [...latest], version, serverTime },
  });
}
