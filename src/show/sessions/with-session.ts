import { eq } from "drizzle-orm";
import { inTransaction, type Transaction } from "#db/client.ts";
import { checkFence } from "#db/ledger/check-fence.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { withLock } from "#src/base/lock.ts";
import { notFound } from "#src/base/refusal.ts";
import { type IfVersion, requireVersion } from "#src/http/if-match.ts";
import { setAlarms } from "#src/show/events/set-alarms.ts";
import { clockText, type EventRow } from "#src/show/events/with-event.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** The input of every session verb. */
export type SessionCommand = IfVersion & {
  sessionId: number;
  /** Null: the system. */
  actor: Actor;
};

/** A session whose row is locked until the transaction ends. */
export type LockedSession = {
  session: SessionRow;
  actor: Actor;
  /** The moment on the database's clock: ISO 8601 with microseconds, in UTC. */
  at: string;
};

/** The session after a change, and the events whose schedule changed with it. */
export type ChangedSession = { session: SessionRow; rescheduled: readonly EventRow[] };

/**
 * Runs one change of a session under its Redis lock, in one transaction that locks its row. After the commit it notifies the
 * relay and sets the alarms of rescheduled events.
 * @throws Refusal 404 for an unknown session; 409 while another change holds the lock, or if its version is no longer
 *   `ifVersion`.
 */
export async function withSession(
  deps: Deps,
  { sessionId, actor, ifVersion }: SessionCommand,
  change: (tx: Transaction, locked: LockedSession) => Promise<ChangedSession>,
): Promise<SessionRow> {
  const { changed, at } = await withLock(deps, `session:${sessionId}`, (fence) =>
    inTransaction(deps.pool.db, async (tx) => {
      const [row] = await tx
        .select({ session: sessions, at: clockText })
        .from(sessions)
        .where(eq(sessions.id, sessionId))
        .for("no key update");
      if (row === undefined) throw notFound();
      requireVersion({ ifVersion }, row.session);
      if (fence !== null) await checkFence(tx, { kind: "session", id: sessionId, token: fence });
      return { changed: await change(tx, { ...row, actor }), at: row.at };
    }),
  );
  deps.notifyRelay();
  setAlarms(deps, changed.rescheduled, at);
  return changed.session;
}
