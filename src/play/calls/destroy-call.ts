import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { destroyCall as destroyInLedger } from "#db/ledger/destroy-call.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { aboutEvent, refundTitle } from "#src/people/notifications/describe-refund.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { refuseDestroying } from "./refuse-destroying.ts";
import { requireNoStake } from "./require-no-stake.ts";

type DestroyCall = { callId: number; actor: { id: number }; reason: string | null };

/**
 * An admin takes another player's call back, from its placing until its event is resolved. The wager is refunded, the call
 * leaves the pool, and the player is notified with the reason. Doing it again changes nothing.
 * @throws Refusal 404 for an unknown call; 422 for a resolved one; 403 for an admin with a call on the same event.
 */
export async function destroyCall(deps: Deps, { callId, actor, reason }: DestroyCall): Promise<void> {
  try {
    await inTransaction(deps.pool.db, async (tx) => {
      const { stateBefore, userId, eventId, round, wagerCents } = await destroyInLedger(tx, callId);
      if (stateBefore === "soft_destroyed") return;
      const { title, session } = await findEvent(tx, eventId);
      await requireNoStake(tx, { event: { id: eventId, round }, session, actor }, "take this call back");
      await writeAudit(tx, {
        actor,
        action: "destroy_call",
        subject: { type: "event", id: eventId },
        sessionId: session?.id ?? null,
        before: { callId, userId, wagerCents, state: stateBefore },
        after: { callId, userId, wagerCents, state: "soft_destroyed" },
        reason,
      });
      await writeNotifications(tx, [
        {
          userId,
          kind: "refund",
          title: refundTitle(wagerCents, "the host took your call back"),
          body: aboutEvent(title, reason),
          url: session === null ? null : `/sessions/${session.slug}/history/${callId}`,
        },
      ]);
    });
  } catch (error) {
    throw await refuseDestroying(deps, callId, error);
  }
  deps.notifyRelay();
}

/** The title of an event, and its session; null outside a session. */
async function findEvent(tx: Transaction, eventId: number) {
  const [found] = await tx
    .select({
      title: events.title,
      session: { id: sessions.id, slug: sessions.slug, settings: sessions.settings },
    })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(events.id, eventId));
  if (found === undefined) throw new Error(`event ${eventId} is missing although it has calls`);
  return found;
}
