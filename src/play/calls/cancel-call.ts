import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { cancelCall as cancelInLedger, destroyCall as destroyInLedger } from "#db/ledger/cancel-call.ts";
import { LedgerRefusal } from "#db/ledger/refusal.ts";
import type { CallState } from "#db/lists/calls.ts";
import { CANCEL_BEFORE_CLOSE_MS, CANCEL_BEFORE_PAUSE_MS } from "#db/lists/limits.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { cannotTransitionVia, notFound } from "#src/base/refusal.ts";
import { aboutEvent, refundTitle } from "#src/people/notifications/describe-refund.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { callTransitions, whyNotCancel } from "./contract.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { whenFree } from "./when-free.ts";

/**
 * Cancels a player's own call and releases its wager. Cancelling it again changes nothing.
 * @throws Refusal 404 for an unknown call or another player's; 422 unless its event is open and the close is at least 5 s away.
 *   While the session is paused its clock is stopped, and only calls of the last 10 s before it can be cancelled. 503 `event_busy`
 *   while a transaction holds the event for long.
 */
export async function cancelCall(
  deps: Deps,
  { viewer, callId }: { viewer: { id: number }; callId: number },
): Promise<void> {
  try {
    await whenFree(() => cancelInLedger(deps.pool.db, { userId: viewer.id, callId }));
  } catch (error) {
    throw await refuseDestroying(deps, callId, error);
  }
  deps.notifyRelay();
}

/** Takes a call back as its viewer may: the player's own call by the rules for players, another player's by an admin's decision. */
export async function takeCallBack(
  deps: Deps,
  { viewer, callId, reason }: { viewer: Viewer; callId: number; reason: string | null },
): Promise<void> {
  if (isAdmin(viewer) && (await isOfAnother(deps, viewer, callId))) {
    return destroyCall(deps, { callId, actor: viewer, reason });
  }
  return cancelCall(deps, { viewer, callId });
}

async function isOfAnother({ pool }: Pick<Deps, "pool">, viewer: Viewer, callId: number): Promise<boolean> {
  const [call] = await pool.db.select({ userId: calls.userId }).from(calls).where(eq(calls.id, callId));
  return call !== undefined && call.userId !== viewer.id;
}

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

/**
 * The refusal for a call that the ledger did not destroy, with the reason that applies now. Any other error is returned as it
 * is.
 */
async function refuseDestroying(
  { pool }: Pick<Deps, "pool">,
  callId: number,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof LedgerRefusal)) return error;
  if (error.code === "not_found") return notFound();
  if (error.code !== "wrong_state") return error;
  const [call] = await pool.db
    .select({
      state: calls.state,
      eventState: events.state,
      placedAt: calls.placedAt,
      closesAt: events.closesAt,
      pausedAt: sessions.pausedAt,
    })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(calls.id, callId));
  return cannotTransitionVia(callTransitions.hide.label, reasonOf(call));
}

type Refused = {
  state: CallState;
  eventState: string;
  placedAt: Date;
  closesAt: Date | null;
  pausedAt: Date | null;
};

function reasonOf(call: Refused | undefined): string {
  if (call?.state === "resolved") return "This call is resolved: its result is paid.";
  if (call?.eventState === "resolved") return "The result of this call is being paid.";
  if (call?.state === "closed") return "Its event has closed, so the call stands.";
  if (call !== undefined && isHeldByPause(call))
    return `The session is paused: only a call of the last ${CANCEL_BEFORE_PAUSE_MS / 1_000} seconds before the pause can be taken back. Try again once the session goes on.`;
  return `A call can be taken back until ${CANCEL_BEFORE_CLOSE_MS / 1_000} seconds before its event closes.`;
}

function isHeldByPause({ placedAt, closesAt, pausedAt, ...states }: Refused): boolean {
  if (pausedAt === null) return false;
  const [placedAtMs, pausedAtMs] = [placedAt.getTime(), pausedAt.getTime()];
  const closesAtMs = closesAt?.getTime() ?? null;
  return whyNotCancel({ ...states, placedAtMs, closesAtMs, pausedAtMs, nowMs: pausedAtMs }) === "paused";
}
