import { eq, sql } from "drizzle-orm";
import type { PgUpdateSetSource } from "drizzle-orm/pg-core";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { sessions } from "#db/schema/sessions.ts";
import { type Actor, type AuditEntry, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLock } from "#src/base/lock.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { requireSessionId, type SessionKey } from "#src/play/find-session-id.ts";
import { clockText, type EventRow, setAlarms } from "#src/show/events/with-event.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** The input of every session verb. */
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
