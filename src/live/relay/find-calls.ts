import { and, asc, eq, inArray, lte, sql } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import type { CallCursor } from "#src/base/outbox/write-fact.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";

/** How many calls are broadcast in one transaction. */
const CALLS_AT_ONCE = 500;

type CallsQuery = {
  eventIds: readonly number[];
  /** Null: the current round of each event. */
  round: number | null;
  states: ("closed" | "resolved")[];
  /** The calls behind this one; null: from the first. */
  after: CallCursor | null;
  /** The last player, for a single event; without it all players. */
  toUserId?: number | undefined;
};

/** `next` is where the next slice begins; null after the last one. */
type CallsSlice = { callIds: number[]; next: CallCursor | null };

/** Finds the next calls of these events, in the order of event, player and call. An index serves it. */
export async function findCallsSlice(
  tx: Transaction,
  { eventIds, round, states, after, toUserId }: CallsQuery,
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
        // Also for one state a list: only then does Postgres see that it implies the condition of the partial index.
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

/** A call that was placed or taken back, as it is now. */
export type ChangedCall = {
  call: CallView;
  /** Of the player. */
  username: string;
  /** Of the request that placed it. */
  idempotencyKey: string;
  eventVersion: number;
};

/** Finds calls by their ids, which may occur several times. Two queries, however many calls. */
export async function findChangedCalls(
  tx: Transaction,
  callIds: readonly number[],
  now: Date,
): Promise<Map<number, ChangedCall>> {
  if (callIds.length === 0) return new Map();
  const ids = [...new Set(callIds)];
  const [views, details] = await Promise.all([
    findCallViews(tx, { callIds: ids }, now),
    tx
      .select({
        id: calls.id,
        username: users.username,
        idempotencyKey: calls.idempotencyKey,
        eventVersion: events.version,
      })
      .from(calls)
      .innerJoin(users, eq(users.id, calls.userId))
      .innerJoin(events, eq(events.id, calls.eventId))
      .where(anyOf(calls.id, ids)),
  ]);
  const detailsById = new Map(details.map(({ id, ...rest }) => [id, rest]));
  return new Map(
    views.flatMap((call) => {
      const found = detailsById.get(call.id);
      return found === undefined ? [] : [[call.id, { call, ...found }] as const];
    }),
  );
}
