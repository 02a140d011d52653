import { and, asc, eq, inArray, ne, sum } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable, Transaction } from "#db/client.ts";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { forbidden } from "#src/base/refusal.ts";
import { activeCallStates } from "./contract.ts";

// Decision: an admin with a call on an event decides nothing about it: no close, advance, delay, result, reset or new time. So nobody
// decides what they are paid for. A small room has no other host; the setting is fixed before its start.

/** The only setting of a session that this rule needs. An invalid value counts as not set. */
const settings = v.fallback(v.object({ smallRoom: v.fallback(v.boolean(), false) }), { smallRoom: false });

type Operator = {
  session: { settings: unknown } | null;
  /** Null: a timer. */
  actor: { id: number } | null;
};

/** True where hosts may also call. */
function isSmallRoom(session: Operator["session"]): boolean {
  return v.parse(settings, session?.settings).smallRoom;
}

/**
 * Refuses a decision on an event by an actor who has a call on it, unless the session's `smallRoom` setting allows it. A
 * resolved call counts too, because a correction would change its payout.
 * @param decision for the message: "resolve it".
 * @throws Refusal 403 for an actor with a call on the event.
 */
export async function requireNoStake(
  db: Queryable,
  { event, session, actor }: Operator & { event: { id: number; round: number } },
  decision: string,
): Promise<void> {
  if (actor === null || isSmallRoom(session)) return;
  const [own] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(
      and(
        eq(calls.eventId, event.id),
        eq(calls.round, event.round),
        eq(calls.userId, actor.id),
        ne(calls.state, "soft_destroyed"),
      ),
    )
    .limit(1);
  if (own !== undefined) throw forbidden(`You have a call on this event. Somebody else must ${decision}.`);
}

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
