import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { sessions } from "#db/schema/sessions.ts";
import { userRoles } from "#db/schema/users.ts";
import type { Actor } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { forbidden } from "#src/base/refusal.ts";
import {
  type LockedSession,
  moveSession,
  requireFlagChange,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "./with-session.ts";

/** Makes a session the active one, to which players are taken, instead of the one that was active. */
export function activateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireFlagChange(locked, "activate");
    await lockActiveFlag(tx);
    await clearActiveFlag(tx, locked);
    return moveSession(tx, locked, "activate", { active: true });
  });
}

/** Makes a session no longer the active one: players are no longer taken there. A running session keeps running. */
export function deactivateSession(deps: Deps, command: SessionCommand): Promise<SessionRow> {
  return withSession(deps, command, async (tx, locked) => {
    requireFlagChange(locked, "deactivate");
    return moveSession(tx, locked, "deactivate", { active: false });
  });
}

/** The advisory lock's class. Transactions that activate a session run one at a time. */
const FLAG_LOCK = 7702;

/**
 * Takes the lock of the active flag until the transaction ends. Only a transaction on an inactive session may wait for it:
 * the lock's holder needs the row of the active session.
 * @returns the id of the active session, or null.
 */
async function lockActiveFlag(tx: Transaction): Promise<number | null> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(${FLAG_LOCK}::int, 0)`);
  const [holder] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.active, true));
  return holder?.id ?? null;
}

/**
 * Deactivates the active session before another one is activated. The caller holds the flag's lock.
 * @throws Refusal 403 for a host who takes the players from a session of others.
 */
async function clearActiveFlag(tx: Transaction, { session, actor, at }: LockedSession): Promise<void> {
  const [holder] = await tx
    .select()
    .from(sessions)
    .where(and(eq(sessions.active, true), ne(sessions.id, session.id)))
    .for("no key update");
  if (holder === undefined) return;
  if (!(await mayTakePlayersFrom(tx, actor, holder.id))) throw ofOthers();
  await moveSession(tx, { session: holder, actor, at }, "deactivate", { active: false });
}

/**
 * Makes a session the active one, unless another one is.
 * @param options takesOver: also if another session is active.
 */
export async function takeActiveFlag(
  tx: Transaction,
  locked: LockedSession,
  { takesOver }: { takesOver: boolean },
): Promise<SessionRow> {
  if (locked.session.active) return locked.session;
  const holderId = await lockActiveFlag(tx);
  if (holderId !== null && !takesOver) return locked.session;
  if (holderId !== null) await clearActiveFlag(tx, locked);
  return moveSession(tx, locked, "activate", { active: true });
}

/** True for admins, for the system, and for a host of the session that loses its players. */
async function mayTakePlayersFrom(tx: Transaction, actor: Actor, sessionId: number): Promise<boolean> {
  if (actor === null) return true;
  const isAdmin = and(eq(userRoles.userId, actor.id), eq(userRoles.role, "admin"));
  const isHost = and(eq(sessionHosts.userId, actor.id), eq(sessionHosts.sessionId, sessionId));
  return (await tx.$count(userRoles, isAdmin)) > 0 || (await tx.$count(sessionHosts, isHost)) > 0;
}

function ofOthers() {
  return forbidden("Players are sent to a session that you do not host. Ask an admin to send them here.");
}
