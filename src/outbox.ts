import { outbox } from "#db/schema/outbox.ts";
import type { Queryable } from "#db/client.ts";
import * as v from "valibot";

const id = v.pipe(v.number(), v.integer());

/** Everything that the world is told of. The ledger's functions write calls_placed, call_cancelled, event_settled, wallet_changed. */
export const fact = v.variant("kind", [
  v.object({ kind: v.literal("calls_placed"), callIds: v.array(id) }),
  v.object({ kind: v.literal("call_cancelled"), callId: id }),
  v.object({ kind: v.literal("event_settled"), eventId: id, settlementId: id, round: id }),
  v.object({ kind: v.literal("wallet_changed"), userId: id }),
  v.object({ kind: v.literal("event_changed"), eventId: id, change: v.string() }),
  v.object({ kind: v.literal("session_changed"), sessionId: id, change: v.string() }),
  v.object({ kind: v.literal("session_destroyed"), sessionId: id, version: v.number() }),
]);
export type Fact = v.InferOutput<typeof fact>;

/**
 * Writes a fact in the transaction that makes it true. After the commit, `deps.ringOutbox()` has it told at once; without
 * that the relay finds it within a second.
 */
export async function writeFact(tx: Queryable, { kind, ...payload }: Fact): Promise<void> {
  await tx.insert(outbox).values({ kind, payload });
}

const WRITTEN_AT_ONCE = 1_000;

/** The same for many facts at once. */
export async function writeFacts(tx: Queryable, facts: readonly Fact[]): Promise<void> {
  const rows = facts.map(({ kind, ...payload }) => ({ kind, payload }));
  for (let start = 0; start < rows.length; start += WRITTEN_AT_ONCE) {
    await tx.insert(outbox).values(rows.slice(start, start + WRITTEN_AT_ONCE));
  }
}
