import { and, eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { registrations, removedPlayers } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { invalid, notFound } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/shut-streams.ts";
import { isAdmin } from "#src/people/sign-ins/viewer.ts";
import { rolesOfUser } from "#src/people/users/roles-of-user.ts";
import { renewLocked } from "#src/show/sessions/renew-secret.ts";
import { auditSession, type SessionCommand, withSession } from "#src/show/sessions/with-session.ts";
import { newJoinCode } from "./renew-join-code.ts";

/**
 * Removes a player from a session: it does not exist for the player any more, until a newer join code than today's lets the player in
 * again. Calls and results stay, these also with the team. Repeating it changes nothing but the code.
 * @param command renewsCode: also makes a new code, so that the player does not come back as a new guest with the one of today.
 * @throws Refusal 404 for an unknown session or user; 422 for an admin, and for a host of the session.
 */
export async function removePlayer(
  deps: Deps,
  { userId, renewsCode = false, ...command }: SessionCommand & { userId: number; renewsCode?: boolean },
): Promise<void> {
  const { id: sessionId } = await withSession(deps, command, async (tx, { session, actor }) => {
    const [user] = await tx.select({ roles: rolesOfUser }).from(users).where(eq(users.id, userId));
    if (user === undefined) throw notFound();
    if (isAdmin(user)) throw adminRefusal();
    const key = { sessionId: session.id, userId };
    const isHost = and(eq(sessionHosts.sessionId, session.id), eq(sessionHosts.userId, userId));
    if ((await tx.$count(sessionHosts, isHost)) > 0) throw hostRefusal();
    const mine = and(eq(registrations.sessionId, session.id), eq(registrations.userId, userId));
    const [joined] = await tx.select({ team: registrations.team }).from(registrations).where(mine);
    const made = await tx
      .insert(removedPlayers)
      .values({ ...key, joinCode: session.joinCode, team: joined?.team })
      .onConflictDoNothing({ target: [removedPlayers.sessionId, removedPlayers.userId] })
      .returning({ id: removedPlayers.id });
    await tx.delete(registrations).where(mine);
    const subject = { type: "user", id: userId } as const;
    if (made.length > 0) await auditSession(tx, { session, actor }, { action: "remove_player", subject });
    return renewsCode ? renewLocked(tx, { session, actor }, newJoinCode) : session;
  });
  await shutStreams(deps, sessionId);
}

function adminRefusal() {
  return invalid({ user: ["is invalid"] }, { code: "admin", detail: "An admin is in every show." });
}

function hostRefusal() {
  const detail = "A host of the session is in it. An admin makes the host a player first.";
  return invalid({ user: ["is invalid"] }, { code: "host", detail });
}
