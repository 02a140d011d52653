import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { forbidden } from "#src/base/refusal.ts";
import { readSettings } from "./read-settings.ts";
import type { LockedEvent } from "./with-event.ts";

/**
 * Refuses a decision on an event by an actor who has a call on it, unless the session's `smallRoom` setting allows it. A
 * resolved call counts too, because a correction would change its payout.
 * @param verb the decision, for the message: "resolve".
 * @throws Refusal 403 for an actor with a call on the event.
 */
export async function requireNoStake(
  tx: Transaction,
  { event, session, actor }: LockedEvent,
  verb: "resolve" | "withdraw" | "reset" | "skip",
): Promise<void> {
  if (actor === null || readSettings(session).smallRoom) return;
  const [own] = await tx
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
  if (own !== undefined) throw forbidden(`You have a call on this event. Somebody else must ${verb} it.`);
}
