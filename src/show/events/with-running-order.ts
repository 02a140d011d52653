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
import { allows } from "#src/http/contract.ts";
import { type EventAction, eventActions } from "./contract.ts";
import { setAlarms } from "./set-alarms.ts";
import { type EventCommand, type EventRow, isLive, type LockedEvent, lockEvent } from "./with-event.ts";

/** An action of the running order on an event, with its actor and reason. */
export type ActionCommand = Omit<EventCommand, "version" | "lockTimeout"> & { reason?: string | null };

/** The event after an action, the other events that it rescheduled, and the shift: below 0 is earlier. */
export type ActionChange = {
  event: EventRow;
  rescheduled: readonly EventRow[];
  shiftMs: number;
  /** The actor's own wagers that it has released. */
  takenBackCents?: number;
};

/**
 * Runs one action of the running order, under the Redis locks of the session and the event and in one transaction that locks
 * the session's row: nothing else of the session changes meanwhile. Writes an audit line.
 * @throws Refusal 404 for an unknown event; 422 `cannot transition via "Skip"` for an event in another state or a session
 *   that is neither running nor paused; 409 while another request changes the session.
 */
export async function withRunningOrder(
  deps: Deps,
  command: ActionCommand,
  action: EventAction,
  change: (tx: Transaction, locked: LockedEvent) => Promise<ActionChange>,
): Promise<EventRow> {
  const sessionId = await findSessionId(deps, command.eventId);
  if (sessionId === null) {
    throw cannotTransitionVia(eventActions[action].label, "It belongs to no session.");
  }
  const perform = (fences: Fences) =>
    inTransaction(deps.pool.db, async (tx) => {
      const locked = await lockSessionAndEvent(tx, { ...command, sessionId }, fences);
      requireAction(locked, action);
      const changed = await change(tx, locked);
      await auditAction(tx, locked, { action, changed, reason: command.reason ?? null });
      return { changed, planned: locked.planned, at: locked.at };
    });
  const { changed, planned, at } = await withLock(deps, `session:${sessionId}`, (session) =>
    withLock(deps, `event:${command.eventId}`, (event) => perform({ session, event })),
  );
  deps.notifyRelay();
  setAlarms(deps, [changed.event, ...changed.rescheduled, ...planned], at);
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

async function lockSessionAndEvent(
  tx: Transaction,
  { sessionId, ...command }: ActionCommand & { sessionId: number },
  fences: Fences,
): Promise<LockedEvent> {
  await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId)).for("no key update");
  const locked = await lockEvent(tx, command);
  if (locked.event.sessionId !== sessionId) throw conflict("It has changed its session. Look again.");
  if (fences.session !== null)
    await checkFence(tx, { kind: "session", id: sessionId, token: fences.session });
  if (fences.event !== null)
    await checkFence(tx, { kind: "event", id: command.eventId, token: fences.event });
  return locked;
}

function requireAction({ event, session }: LockedEvent, action: EventAction): void {
  const { label } = eventActions[action];
  if (!isLive(session)) throw cannotTransitionVia(label, "The session is not running.");
  if (!allows(eventActions, action, event.state)) throw cannotTransitionVia(label);
}

async function auditAction(
  tx: Transaction,
  { event, actor }: LockedEvent,
  { action, changed, reason }: { action: EventAction; changed: ActionChange; reason: string | null },
): Promise<void> {
  const { takenBackCents = 0 } = changed;
  await writeAudit(tx, {
    actor,
    action,
    subject: { type: "event", id: event.id },
    sessionId: event.sessionId,
    before: { state: event.state },
    after: {
      state: changed.event.state,
      shiftMs: changed.shiftMs,
      moved: changed.rescheduled.length,
      ...(takenBackCents > 0 ? { takenBackCents } : {}),
    },
    reason,
  });
}
