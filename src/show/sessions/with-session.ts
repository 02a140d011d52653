import { asc, eq, sql, type SQL } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence, gateEvent } from "#db/ledger/locks.ts";
import type { EventState } from "#db/lists/events.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLock } from "#src/base/lock.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { notFound, cannotTransitionVia } from "#src/base/refusal.ts";
import { allows } from "#src/http/contract.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { requireSessionId, type SessionKey } from "#src/play/find-session-id.ts";
import { ofSession } from "#src/show/events/events-of-session.ts";
import { clockText, type EventRow, setAlarms } from "#src/show/events/with-event.ts";
import {
  type SessionFlagChange,
  sessionFlagChanges,
  type SessionTransition,
  sessionTransitions,
} from "./contract.ts";

export type SessionRow = typeof sessions.$inferSelect;

export type SessionCommand = IfVersion & {
  sessionId: SessionKey;
  /** Null: the system. */
  actor: Actor;
};

/** A session whose row is locked until the transaction ends. */
export type LockedSession = {
  session: SessionRow;
  actor: Actor;
  /** The moment on the database's clock: ISO 8601 with microseconds, in UTC. */
  at: string;
  /** The change adds the events whose schedule changes with it. Their alarms are set after the commit. */
  rescheduled: EventRow[];
};

/**
 * Runs one change of a session under its Redis lock, in one transaction that locks its row. After the commit it notifies the
 * relay and sets the alarms of rescheduled events.
 * @throws Refusal 404 for an unknown session; 409 while another change holds the lock, or if its version is no longer
 *   `ifVersion`.
 */
export async function withSession(
  deps: Deps,
  { sessionId: key, actor, ifVersion }: SessionCommand,
  change: (tx: Transaction, locked: LockedSession) => Promise<SessionRow>,
): Promise<SessionRow> {
  const sessionId = typeof key === "number" ? key : await requireSessionId(deps.pool.db, key, "host");
  const rescheduled: EventRow[] = [];
  const { session, at } = await withLock(deps, `session:${sessionId}`, (fence) =>
    inTransaction(deps.pool.db, async (tx) => {
      const [row] = await tx
        .select({ session: sessions, at: clockText })
        .from(sessions)
        .where(eq(sessions.id, sessionId))
        .for("no key update");
      if (row === undefined) throw notFound();
      requireVersion({ ifVersion }, row.session);
      if (fence !== null) await checkFence(tx, { kind: "session", id: sessionId, token: fence });
      return { session: await change(tx, { ...row, actor, rescheduled }), at: row.at };
    }),
  );
  deps.notifyRelay();
  setAlarms(deps, rescheduled, at);
  return session;
}

/** Writes columns of a session, and the fact of the change. */
export async function writeSession(
  tx: Transaction,
  { session, at }: Pick<LockedSession, "session" | "at">,
  columns: PgUpdateSetSource<typeof sessions>,
  change = "update",
): Promise<SessionRow> {
  const [changed] = await tx
    .update(sessions)
    .set({ ...columns, version: sql`${sessions.version} + 1`, updatedAt: sql`${at}::timestamptz` })
    .where(eq(sessions.id, session.id))
    .returning();
  if (changed === undefined) throw new Error(`session ${session.id} is missing although its row is locked`);
  await writeFact(tx, { kind: "session_changed", sessionId: session.id, change });
  return changed;
}

/** Writes who did what to a session, or to somebody in it, in the transaction of the change. */
export function auditSession(
  tx: Transaction,
  { session: { id }, actor }: Pick<LockedSession, "session" | "actor">,
  entry: Omit<AuditEntry, "actor" | "subject" | "sessionId"> & Partial<Pick<AuditEntry, "subject">>,
): Promise<void> {
  return writeAudit(tx, { actor, subject: { type: "session", id }, sessionId: id, ...entry });
}

/**
 * Refuses a transition that the transition table does not list for the session's state.
 * @throws Refusal 422 `cannot transition via "Start"`.
 */
export function requireTransition({ session }: LockedSession, name: SessionTransition): void {
  if (allows(sessionTransitions, name, session.state)) return;
  throw cannotTransitionVia(sessionTransitions[name].label);
}

/**
 * Refuses a change of the active flag that its table does not list for the session's state, and one that changes nothing.
 * @throws Refusal 422 `cannot transition via "Activate"`.
 */
export function requireFlagChange({ session }: LockedSession, name: SessionFlagChange): void {
  const { active, label } = sessionFlagChanges[name];
  if (allows(sessionFlagChanges, name, session.state) && session.active !== active) return;
  throw cannotTransitionVia(label);
}

/**
 * Writes a change of a session's state or active flag, with its fact and its audit entry. The caller has checked the
 * transition.
 * @param takenBackCents the actor's own wagers that were released with it.
 */
export async function moveSession(
  tx: Transaction,
  { takenBackCents = 0, ...locked }: Omit<LockedSession, "rescheduled"> & { takenBackCents?: number },
  name: SessionTransition | SessionFlagChange,
  changes: PgUpdateSetSource<typeof sessions>,
): Promise<SessionRow> {
  const { session } = locked;
  const moved = await writeSession(tx, locked, changes, name);
  await auditSession(tx, locked, {
    action: name,
    before: { state: session.state, active: session.active },
    after: {
      state: moved.state,
      active: moved.active,
      ...(takenBackCents > 0 ? { takenBackCents } : {}),
    },
  });
  return moved;
}

/**
 * Takes the gates of a session's events in these states: from here on no call is in flight on them. The caller has locked the
 * session's row, so that no event changes its state in the meantime.
 * @returns the moment on the database's clock when all gates are held, ISO 8601.
 */
export async function gateEvents(
  tx: Transaction,
  sessionId: number,
  states: readonly EventState[],
): Promise<string> {
  const rows = await tx
    .select({ id: events.id })
    .from(events)
    .where(ofSession({ id: sessionId }, ...states))
    .orderBy(asc(events.id));
  if (rows.length > 0) await gateEvent(tx, ...rows.map(({ id }) => id));
  const [clock] = await tx.select({ at: clockText }).from(sessions).where(eq(sessions.id, sessionId));
  if (clock === undefined) throw new Error(`session ${sessionId} is missing although its row is locked`);
  return clock.at;
}

type Secret = {
  /** The columns from which the secret follows, with their new values. */
  columns: Partial<Record<"joinCode" | "stageLinkGeneration", SQL>>;
  action: "renew_join_code" | "renew_stage_link";
};

/**
 * Gives a session another secret by which people come in, in place of the one before.
 * @returns the session, from which the secret follows.
 */
export function renewSecret(deps: Deps, command: SessionCommand, secret: Secret): Promise<SessionRow> {
  return withSession(deps, command, (tx, locked) => renewLocked(tx, locked, secret));
}

/** The same as a part of another change of a locked session. */
export async function renewLocked(
  tx: Transaction,
  locked: Pick<LockedSession, "session" | "actor">,
  { columns, action }: Secret,
): Promise<SessionRow> {
  const { id } = locked.session;
  const [renewed] = await tx.update(sessions).set(columns).where(eq(sessions.id, id)).returning();
  if (renewed === undefined) throw new Error(`session ${id} is missing although its row is locked`);
  await auditSession(tx, locked, { action });
  return renewed;
}

/** The fields of a session that admins edit, as the audit log stores them. */
export function termsOf({ name, description, startsAt, settings }: SessionRow) {
  return { name, description, startsAt: startsAt?.toISOString() ?? null, settings };
}
