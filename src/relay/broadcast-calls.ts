import { asc, eq, inArray } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { spots } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import { dollarsOf } from "#src/http/money.ts";
import { LATEST_MAX } from "./broadcast-pool.ts";
import type { Telling } from "./messages.ts";

/**
 * Notes the pools that these calls changed, each with its newest calls for the ticker; a call that was taken back is not
 * among them.
 * @returns whose calls they are.
 */
export async function tellCalls(
  { tx, pools }: Pick<Telling, "tx" | "pools">,
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
    const latest = pools.get(eventId) ?? [];
    if (state !== "soft_destroyed") latest.push({ username, side, wager: dollarsOf(wagerCents) });
    pools.set(eventId, latest.slice(-LATEST_MAX));
  }
  return rows.map(({ userId }) => userId);
}
