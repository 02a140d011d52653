import { and, eq, ne, type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { forbidden } from "#src/base/refusal.ts";

// Decision: an admin with a call on an event decides nothing about it: no close, advance, delay, result, reset, skip or new time.
// So nobody decides what they are paid for. A small room has no other host; the setting is fixed before its start.

/** The only setting of a session that this rule needs. An invalid value counts as not set. */
const settings = v.fallback(v.object({ smallRoom: v.fallback(v.boolean(), false) }), { smallRoom: false });

type Operator = {
  session: { settings: unknown } | null;
  /** Null: a timer. */
  actor: { id: number } | null;
};

/**
 * Refuses a decision on an event by an actor who has a call on it, unless the session's `smallRoom` setting allows it. A
 * resolved call counts too, because a correction would change its payout.
 * @param decision for the message: "resolve it".
 * @throws Refusal 403 for an actor with a call on the event.
 */
export async function requireNoStake(
  db: Queryable,
  { event, ...operator }: Operator & { event: { id: number; round: number } },
  decision: string,
): Promise<void> {
  const ofRound = and(eq(calls.eventId, event.id), eq(calls.round, event.round));
  if (!(await hasCall(db, operator, ofRound))) return;
  throw forbidden(`You have a call on this event. Somebody else must ${decision}.`);
}

/**
 * Refuses what ends calling in a whole session to an actor who has a call on one of its open events. The caller holds the gates
 * of these events, so that no call is in flight. A resume needs no such check: it gives all callers their time back.
 * @param decision for the message: "stop the session".
 * @throws Refusal 403 for an actor with a call on an open event of the session.
 */
export async function requireNoOpenStake(
  db: Queryable,
  { session, actor }: Operator & { session: { id: number } },
  decision: string,
): Promise<void> {
  const openRound = sql`(${calls.eventId}, ${calls.round}) IN (
    SELECT ${events.id}, ${events.round} FROM ${events} WHERE ${and(eq(events.sessionId, session.id), eq(events.state, "open"))})`;
  if (!(await hasCall(db, { session, actor }, openRound))) return;
  throw forbidden(
    `You have a call on an open event. Somebody else must ${decision}, or it must close first.`,
  );
}

/** True if the actor has such a call, and the session does not allow that. */
async function hasCall(
  db: Queryable,
  { session, actor }: Operator,
  which: SQL | undefined,
): Promise<boolean> {
  if (actor === null || v.parse(settings, session?.settings).smallRoom) return false;
  const [own] = await db
    .select({ id: calls.id })
    .from(calls)
    .where(and(which, eq(calls.userId, actor.id), ne(calls.state, "soft_destroyed")))
    .limit(1);
  return own !== undefined;
}
