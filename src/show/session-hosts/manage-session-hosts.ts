import { and, asc, desc, eq, isNull, or } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable, Transaction } from "#db/client.ts";
import { HOSTED_SESSIONS_MAX, SESSION_HOSTS_MAX } from "#db/lists/limits.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { removedPlayers } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { type MaybeKeyed, once } from "#src/base/once.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/broadcast.ts";
import { say } from "#src/http/contract.ts";
import { present } from "#src/http/present.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { isNamed } from "#src/people/users/judge-username.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import {
  auditSession,
  type SessionCommand,
  type SessionRow,
  withSession,
} from "#src/show/sessions/with-session.ts";
import { type SessionHostsAnswer, sessionHostSchema } from "./schemas.ts";

// Decision: only accounts are hosts. A guest is the user of a browser, and ends with it; so nothing moves when a guest becomes a part
// of an account.

type AddSessionHost = SessionCommand & {
  actor: { id: number };
  /** The username or the email address of an account. */
  user: string;
};

const admins = alias(users, "admins");

/**
 * Makes a user a host of a session, and tells the user. Whom a host had removed from it is in again. Doing it again changes nothing.
 * @returns whether the user was none before.
 * @throws Refusal 404 for an unknown session; 422 for what names no account, for an admin, and where there are too many.
 */
export async function addSessionHost(
  deps: Deps,
  { user, ...command }: AddSessionHost,
  keyed: MaybeKeyed = null,
): Promise<{ created: boolean }> {
  let created = false;
  await withSession(deps, command, async (tx, { session }) => {
    const made = await once(tx, keyed, outcome, () => addHost(tx, { session, actor: command.actor, user }));
    created = made.created;
    return session;
  });
  return { created };
}

const outcome = v.object({ created: v.boolean() });

type AddHost = { session: SessionRow; actor: { id: number }; user: string };

async function addHost(tx: Transaction, { session, actor, user }: AddHost): Promise<{ created: boolean }> {
  const userId = await requireAccount(tx, user);
  const key = { sessionId: session.id, userId };
  const isHost = and(eq(sessionHosts.sessionId, session.id), eq(sessionHosts.userId, userId));
  if ((await tx.$count(sessionHosts, isHost)) > 0) return { created: false };
  await refuseTooMany(tx, key);
  await tx.insert(sessionHosts).values({ ...key, madeById: actor.id });
  await tx
    .delete(removedPlayers)
    .where(and(eq(removedPlayers.sessionId, session.id), eq(removedPlayers.userId, userId)));
  const subject = { type: "user", id: userId } as const;
  await auditSession(tx, { session, actor }, { action: "add_session_host", subject });
  await writeNotifications(tx, [
    {
      userId,
      kind: "announcement",
      title: say`You are a host of ${session.name}.`,
      body: "Its Admin tab is open to you.",
      url: `/sessions/${session.slug}/admin`,
    },
  ]);
  return { created: true };
}

/** The id of the account that a username or an email address names, in any case. */
async function requireAccount(tx: Transaction, named: string): Promise<number> {
  const text = named.toLowerCase();
  const [account] = await tx
    .select({ id: users.id, roles: rolesOfUser })
    .from(users)
    .where(
      and(
        or(eq(users.email, text), isNamed(named)),
        eq(users.guest, false),
        eq(users.robot, false),
        isNull(users.deactivatedAt),
      ),
    )
    // A name may look like the address of somebody else.
    .orderBy(desc(eq(users.email, text)))
    .limit(1)
    // An account that is being deleted is waited for.
    .for("no key update");
  if (account === undefined) throw invalid({ user: ["belongs to no account"] });
  if (isAdmin(account))
    throw invalid({ user: ["belongs to an admin, who hosts every session"] }, { code: "admin" });
  return account.id;
}

async function refuseTooMany(
  tx: Transaction,
  { sessionId, userId }: { sessionId: number; userId: number },
): Promise<void> {
  const [ofSession, ofUser] = await Promise.all([
    tx.$count(sessionHosts, eq(sessionHosts.sessionId, sessionId)),
    tx.$count(sessionHosts, eq(sessionHosts.userId, userId)),
  ]);
  if (ofSession < SESSION_HOSTS_MAX && ofUser < HOSTED_SESSIONS_MAX) return;
  const error =
    ofSession < SESSION_HOSTS_MAX
      ? `belongs to a host of ${HOSTED_SESSIONS_MAX} sessions, which is the most: remove the user from old ones first`
      : `is one too many: a session has ${SESSION_HOSTS_MAX} hosts at most`;
  throw invalid({ user: [error] }, { code: "too_many_hosts" });
}

/**
 * Makes a host of a session an ordinary player again. The next request of the user finds no host, and open sockets are disconnected.
 * Doing it again changes nothing.
 */
export async function removeSessionHost(
  deps: Deps,
  { userId, ...command }: SessionCommand & { userId: number },
): Promise<void> {
  const { id: sessionId } = await withSession(deps, command, async (tx, { session, actor }) => {
    if ((await tx.$count(users, eq(users.id, userId))) === 0) throw notFound();
    const removed = await tx
      .delete(sessionHosts)
      .where(and(eq(sessionHosts.sessionId, session.id), eq(sessionHosts.userId, userId)))
      .returning({ id: sessionHosts.id });
    const subject = { type: "user", id: userId } as const;
    if (removed.length > 0)
      await auditSession(tx, { session, actor }, { action: "remove_session_host", subject });
    return session;
  });
  await shutStreams(deps, sessionId);
}

/**
 * The hosts of a session, in the order in which they were added.
 * @param viewer an admin, or a host of the session, who reads no email addresses.
 */
export async function listSessionHosts(
  db: Queryable,
  slugOrId: string | number,
  viewer: Pick<Viewer, "roles">,
): Promise<SessionHostsAnswer> {
  const session = await requireSession(db, slugOrId);
  const rows = await db
    .select({
      userId: users.id,
      username: users.username,
      email: users.email,
      madeBy: admins.username,
      createdAt: sessionHosts.createdAt,
    })
    .from(sessionHosts)
    .innerJoin(users, eq(users.id, sessionHosts.userId))
    .innerJoin(admins, eq(admins.id, sessionHosts.madeById))
    .where(eq(sessionHosts.sessionId, session.id))
    .orderBy(asc(sessionHosts.id))
    .limit(SESSION_HOSTS_MAX);
  const shown = (row: (typeof rows)[number]) => ({ ...row, email: isAdmin(viewer) ? row.email : null });
  return { sessionHosts: rows.map((row) => present(sessionHostSchema, shown(row))) };
}
