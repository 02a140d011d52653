import { and, asc, eq, inArray, sum } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { activeCallStates } from "./contract.ts";
import { isSmallRoom } from "./require-no-stake.ts";

// Decision: pause, stop and skip are never refused because the host plays too: who runs a show can always halt it. A skip refunds
// everybody. Pause and stop end calling, about which nobody decides who has a call; so the host's own calls on open events are taken
// back with them, by the rules for players: a call that its player can no longer take back stays. The audit says what came back.

type EndsCalling = {
  session: { id: number; settings: unknown };
  /** Null: a timer. */
  actor: { id: number } | null;
};

/**
 * Takes back the actor's own calls on the open events of a session, unless it is a small room. The caller holds the gates of these
 * events, so that no call is in flight, and has not changed the session yet.
 * @returns the wagers that were released, in cents.
 */
export async function takeBackOwnCalls(tx: Transaction, { session, actor }: EndsCalling): Promise<number> {
  if (actor === null || isSmallRoom(session)) return 0;
  const own = await tx
    .select({ id: calls.id })
    .from(calls)
    .innerJoin(events, and(eq(events.id, calls.eventId), eq(events.round, calls.round)))
    .where(
      and(
        eq(events.sessionId, session.id),
        eq(events.state, "open"),
        eq(calls.userId, actor.id),
        eq(calls.state, "placed"),
      ),
    )
    .orderBy(asc(calls.id));
  if (own.length === 0) return 0;
  // The rows of events come before wallets, and the caller changes more of them than those with a call.
  await tx
    .select({ id: events.id })
    .from(events)
    .where(eq(events.sessionId, session.id))
    .orderBy(asc(events.id))
    .for("no key update");
  let releasedCents = 0;
  for (const { id } of own) releasedCents += await takeBack(tx, { userId: actor.id, callId: id });
  return releasedCents;
}

/** @returns the wager; 0: it is too late. */
async function takeBack(tx: Transaction, call: { userId: number; callId: number }): Promise<number> {
  try {
    const cancelled = await tx.transaction((savepoint) => cancelCall(savepoint, call));
    if (cancelled === null) throw new Error("the gate of an own call is not held");
    return cancelled.wagerCents;
  } catch (error) {
    if (error instanceof LedgerRefusal && error.code === "wrong_state") return 0;
    throw error;
  }
}

/** What the actor of a change of this event has wagered on it, and still holds, in cents. */
export async function sumOwnCalls(
  tx: Transaction,
  { event, actor }: { event: { id: number; round: number }; actor: { id: number } | null },
): Promise<number> {
  if (actor === null) return 0;
  const own = and(
    eq(calls.eventId, event.id),
    eq(calls.round, event.round),
    eq(calls.userId, actor.id),
    inArray(calls.state, [...activeCallStates]),
  );
  const [row] = await tx
    .select({ cents: sum(calls.wagerCents).mapWith(Number) })
    .from(calls)
    .where(own);
  return row?.cents ?? 0;
}
