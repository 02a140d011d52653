import { and, eq, ne } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { forbidden } from "#src/base/refusal.ts";

// Decision: an admin with a call on an event decides nothing about it: no close, advance, delay, result, reset or new time. So nobody
// decides what they are paid for. A small room has no other host; the setting is fixed before its start. Pause, stop and skip are
// never refused: take-back-own-calls.ts.

/** The only setting of a session that this rule needs. An invalid value counts as not set. */
const settings = v.fallback(v.object({ smallRoom: v.fallback(v.boolean(), false) }), { smallRoom: false });

type Operator = {
  session: { settings: unknown } | null;
  /** Null: a timer. */
  actor: { id: number } | null;
};

/** True where hosts may also call. */
export function isSmallRoom(session: Operator["session"]): boolean {
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
