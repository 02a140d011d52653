import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { CallCursor } from "#src/outbox/write-fact.ts";

/** How many calls are told at once. */
export const CALLS_AT_ONCE = 500;

type Wanted = {
  eventIds: readonly number[];
  /** Null: the round that each event is in. */
  round: number | null;
  states: ("closed" | "resolved")[];
  /** Null: from the first. */
  after: CallCursor | null;
  /** The last player, where it is one event; everybody where this is left out. */
  toUserId?: number | undefined;
};

/** `next` says from where there may be more; null where this was all. */
export type CallsSlice = { callIds: number[]; next: CallCursor | null };

/** The next calls of these events, a player's together; they go by the index of (event, player). */
export async function findCallsSlice(
  tx: Transaction,
  { eventIds, round, states, after, toUserId }: Wanted,
): Promise<CallsSlice> {
  const from = after ?? { eventId: 0, userId: 0, callId: 0 };
  const rows = await tx
    .select({ eventId: calls.eventId, userId: calls.userId, callId: calls.id })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .where(
      and(
        anyOf(calls.eventId, eventIds),
        eq(calls.round, round ?? events.round),
        // A list, because of one state alone it would not be known that it follows from the index's own condition.
        inArray(calls.state, states),
        toUserId === undefined ? undefined : lte(calls.userId, toUserId),
        sql`(${calls.eventId}, ${calls.userId}, ${calls.id}) > (${from.eventId}, ${from.userId}, ${from.callId})`,
      ),
    )
    .orderBy(asc(calls.eventId), asc(calls.userId), asc(calls.id))
    .limit(CALLS_AT_ONCE);
  const next = rows.length < CALLS_AT_ONCE ? null : (rows.at(-1) ?? null);
  return { callIds: rows.map(({ callId }) => callId), next };
}
