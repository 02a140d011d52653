import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";

const id = v.pipe(v.number(), v.integer());
const ids = v.array(id);

/** The last call of a slice, in the order of event, player and call. The next slice begins behind it. */
const callCursor = v.object({ eventId: id, userId: id, callId: id });
export type CallCursor = v.InferOutput<typeof callCursor>;

/**
 * What can have happened. A fact is not a message: it names rows, and the relay builds the messages from the state of these
 * rows when it broadcasts. So a settlement of thousands of calls is one row.
 *
 * The ledger's SQL functions write calls_placed, call_cancelled, event_settled and wallet_changed. A skip or reset writes
 * call_cancelled for each call that it refunds. The relay broadcasts facts about many players in slices; only the relay writes
 * rest_of_*, for the players of the next slices. A crash therefore repeats at most one slice.
 */
export const fact = v.variant("kind", [
  v.object({ kind: v.literal("calls_placed"), callIds: ids }),
  // The player, an admin, a skip or a reset took the call back.
  v.object({ kind: v.literal("call_cancelled"), callId: id }),
  // A large settlement writes one for each part that is paid, with the range of its players.
  v.object({
    kind: v.literal("event_settled"),
    eventId: id,
    settlementId: id,
    round: id,
    fromUserId: v.optional(id),
    toUserId: v.optional(id),
  }),
  v.object({ kind: v.literal("wallet_changed"), userId: id }),
  // `renamed`: open pages show another name of the player from now on.
  v.object({ kind: v.literal("avatar_changed"), userId: id, renamed: v.optional(v.boolean()) }),
  v.object({ kind: v.literal("notifications_created"), notificationIds: ids }),
  v.object({ kind: v.literal("notifications_read"), userId: id, upToId: id }),
  v.object({ kind: v.literal("event_changed"), eventId: id, change: v.string() }),
  v.object({ kind: v.literal("session_changed"), sessionId: id, change: v.string() }),
  v.object({ kind: v.literal("leaders_changed"), sessionId: id }),
  v.object({ kind: v.literal("message_created"), messageId: id }),
  v.object({ kind: v.literal("message_changed"), messageId: id }),
  v.object({ kind: v.literal("message_destroyed"), messageId: id }),
  v.object({
    kind: v.literal("session_destroyed"),
    sessionId: id,
    version: v.number(),
    private: v.optional(v.boolean()),
  }),
  v.object({
    kind: v.literal("rest_of_settlement"),
    eventId: id,
    round: id,
    after: callCursor,
    toUserId: v.optional(id),
  }),
  v.object({ kind: v.literal("rest_of_close"), eventIds: ids, after: callCursor }),
  v.object({ kind: v.literal("rest_of_notifications"), notificationIds: ids }),
]);
export type Fact = v.InferOutput<typeof fact>;

/**
 * Writes a fact, in the transaction that makes it true. After the commit, call `deps.notifyRelay()` to broadcast it at once;
 * without that the relay finds it within a second.
 */
export async function writeFact(tx: Queryable, fact: Fact): Promise<void> {
  await writeFacts(tx, [fact]);
}

/** The same for many facts at once, in their order. */
export async function writeFacts(tx: Queryable, facts: readonly Fact[]): Promise<void> {
  if (facts.length === 0) return;
  await tx.execute(sql`INSERT INTO outbox (kind, payload)
    SELECT fact ->> 'kind', fact - 'kind'
    FROM jsonb_array_elements(${JSON.stringify(facts)}::text::jsonb) WITH ORDINALITY AS f(fact, position) ORDER BY position`);
}
