import { and, eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { users } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import { shutStreams } from "#src/base/streams/shut-streams.ts";
import { type SessionCommand, withSession } from "#src/show/sessions/with-session.ts";

/**
 * Makes a host of a session an ordinary player again. The next request of the user finds no host, and open sockets are disconnected.
 * Doing it again changes nothing.
 * @throws Refusal 404 for an unknown session or user.
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
    if (removed.length > 0)
      await writeAudit(tx, {
        actor,
        action: "remove_session_host",
        subject: { type: "user", id: userId },
        sessionId: session.id,
        before: {},
        after: {},
      });
    return { session, rescheduled: [] };
  });
  await shutStreams(deps, sessionId);
}
