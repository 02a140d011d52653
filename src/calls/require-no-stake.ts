import { and, eq, ne } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { forbidden } from "#src/base/refusal.ts";

/** The only setting of a session that this rule needs. An invalid value counts as not set. */
const settings = v.fallback(v.object({ smallRoom: v.fallback(v.boolean(), false) }), { smallRoom: false });

type Stake = {
  event: { id: number; round: number };
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
  { event, session, actor }: Stake,
  decision: string,
): Promise<void> {
  if (actor === null || v.parse(settings, session?.settings).smallRoom) return;
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
