import { and, eq, ne } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { forbidden } from "#src/base/refusal.ts";
import { readSettings } from "./read-settings.ts";
import type { LockedEvent } from "./with-event.ts";

/**
 * Whoever has money on an event does not decide it, except where a small room has agreed to that. A call that is resolved
 * counts too: correcting the result would pay it anew.
 * @param verb what somebody else must do: "resolve".
 * @throws Refusal 403
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
