import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLock } from "#src/base/lock.ts";
import { conflict, notFound } from "#src/base/refusal.ts";
import { cannotTransitionVia } from "#src/base/transition.ts";
import { type EventAction, eventActions } from "./contract.ts";
import { setAlarms } from "./set-alarms.ts";
import { type EventOrder, type EventRow, isLive, type LockedEvent, lockEvent } from "./with-event.ts";

/** What an action of the running order is asked, by whom, and why. */
export type ShowOrder = Omit<EventOrder, "version" | "patience"> & { reason?: string | null };

/** An event as an action leaves it, the others that moved with it, and by how much: below 0 they come earlier. */
export type ShowChange = { event: EventRow; rescheduled: readonly EventRow[]; shiftMs: number };

/**
 * Runs one action of the running order: under the Redis locks of the session and the event, and in one transaction that
 * holds the session's row, so that nothing else of that session changes meanwhile. It leaves an audit line.
 * @throws Refusal 404 for an event that is not there; 422 `cannot transition via "Skip"` where the table of actions says no
 *   or the session neither runs nor is paused; 409 when somebody else is changing the session.
 */
export async function withShow(
  deps: Deps,
  order: ShowOrder,
  action: EventAction,
  change: (tx: Transaction, locked: LockedEvent) => Promise<ShowChange>,
): Promise<EventRow> {
  const sessionId = await findSessionId(deps, order.eventId);
  if (sessionId === null) {
    throw cannotTransitionVia(eventActions[action].label, "It belongs to no session.");
  }
  const perform = (fences: Fences) =>
    inTransaction(deps.pool.db, async (tx) => {
      const locked = await lockShow(tx, { ...order, sessionId }, fences);
      requireAction(locked, action);
      const changed = await change(tx, locked);
      await auditAction(tx, locked, { action, changed, reason: order.reason ?? null });
      return { changed, at: locked.at };
    });
  const { changed, at } = await withLock(deps, `session:${sessionId}`, (session) =>
    withLock(deps, `event:${order.eventId}`, (event) => perform({ session, event })),
  );
  deps.notifyRelay();
  setAlarms(deps, [changed.event, ...changed.rescheduled], at);
  return changed.event;
}

type Fences = { session: number | null; event: number | null };

async function findSessionId({ pool }: Deps, eventId: number): Promise<number | null> {
  const [row] = await pool.db
    .select({ sessionId: events.sessionId, state: events.state })
    .from(events)
    .where(eq(events.id, eventId));
  if (row === undefined || row.state === "soft_destroyed") throw notFound();
  return row.sessionId;
}

async function lockShow(
  tx: Transaction,
  { sessionId, ...order }: ShowOrder & { sessionId: number },
  fences: Fences,
): Promise<LockedEvent> {
  await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId)).for("no key update");
  const locked = await lockEvent(tx, order);
  if (locked.event.sessionId !== sessionId) throw conflict("It has changed its session. Look again.");
  if (fences.session !== null)
    await checkFence(tx, { kind: "session", id: sessionId, token: fences.session });
  if (fences.event !== null) await checkFence(tx, { kind: "event", id: order.eventId, token: fences.event });
  return locked;
}

function requireAction({ event, session }: LockedEvent, action: EventAction): void {
  const { from, label } = eventActions[action];
  if (!isLive(session)) throw cannotTransitionVia(label, "The session is not running.");
  if (!from.some((state) => state === event.state)) throw cannotTransitionVia(label);
}

async function auditAction(
  tx: Transaction,
  { event, actor }: LockedEvent,
  { action, changed, reason }: { action: EventAction; changed: ShowChange; reason: string | null },
): Promise<void> {
  await writeAudit(tx, {
    actor,
    action,
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    before: { state: event.state },
    after: { state: changed.event.state, shiftMs: changed.shiftMs, moved: changed.rescheduled.length },
    reason,
  });
}
