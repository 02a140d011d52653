import { eq } from "drizzle-orm";
import { anyOf } from "#db/any-of.ts";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { users } from "#db/schema/users.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";

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
