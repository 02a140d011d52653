import { and, eq, inArray } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { queryColumn, wholeNumber } from "#db/ledger/query.ts";
import { HOSTED_SESSIONS_MAX, SESSION_HOSTS_MAX } from "#db/lists/limits.ts";
import { roles as allRoles } from "#db/lists/users.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { removedPlayers } from "#db/schema/sessions.ts";
import { userRoles } from "#db/schema/users.ts";
import { writeAudit } from "#src/base/audit.ts";
import { revokeAccessTokens } from "#src/people/sign-ins/access-tokens.ts";
import type { OidcSettings } from "#src/settings/read-oidc.ts";

// Decision: what a claim gives, the next sign-in without it takes away: roles, and the sessions that somebody hosts. What an admin or the
// command line has given stays, so a wrong setting locks nobody out. No claim is as none of its values. Admins host all sessions anyway.

type Given = { userId: number; values: readonly string[] | null };

/**
 * Gives and takes away what the values of the provider's claim say, with a line in the audit for each.
 * @returns whether anything has changed: then the user's other sign-ins are to end.
 */
export async function giveRoles(
  tx: Transaction,
  { roles: setting, name }: OidcSettings,
  { userId, values }: Given,
): Promise<boolean> {
  if (setting === null) return false;
  const has = (wanted: readonly string[]) => wanted.some((value) => values?.includes(value));
  const reason = `${name}: ${setting.claim}`;
  const rows = await tx.select().from(userRoles).where(eq(userRoles.userId, userId));
  const before = rows.map(({ role }) => role).toSorted();
  const kept = rows.filter(({ byClaim }) => !byClaim).map(({ role }) => role);
  const wanted = allRoles.filter((role) => has(setting[role]) && !kept.includes(role));
  const after = [...kept, ...wanted].toSorted();
  const changed = before.join() !== after.join();
  if (changed) {
    await tx.delete(userRoles).where(and(eq(userRoles.userId, userId), eq(userRoles.byClaim, true)));
    if (wanted.length > 0)
      await tx.insert(userRoles).values(wanted.map((role) => ({ userId, role, byClaim: true })));
    if (!after.includes("admin")) await revokeAccessTokens(tx, { userId });
    const change = { before: { roles: before }, after: { roles: after }, reason };
    const subject = { type: "user", id: userId } as const;
    await writeAudit(tx, { actor: null, action: "change_roles", subject, ...change });
  }
  const isHost = !after.includes("admin") && has(setting.host);
  return (await giveSessions(tx, { userId, isHost, reason })) || changed;
}

/** Makes a user a host of each session that is not over, as many as may be, or of none. @returns whether anything has changed. */
async function giveSessions(
  tx: Transaction,
  { userId, isHost, reason }: { userId: number; isHost: boolean; reason: string },
): Promise<boolean> {
  const byClaim = and(eq(sessionHosts.userId, userId), eq(sessionHosts.byClaim, true));
  const action = isHost ? "add_session_host" : "remove_session_host";
  const ids = isHost
    ? await findSessions(tx, userId)
    : (await tx.delete(sessionHosts).where(byClaim).returning({ id: sessionHosts.sessionId })).map(
        ({ id }) => id,
      );
  if (ids.length === 0) return false;
  if (isHost) {
    const row = { userId, madeById: userId, byClaim: true };
    await tx.insert(sessionHosts).values(ids.map((sessionId) => ({ ...row, sessionId })));
    await tx
      .delete(removedPlayers)
      .where(and(eq(removedPlayers.userId, userId), inArray(removedPlayers.sessionId, ids)));
  }
  const subject = { type: "user", id: userId } as const;
  await writeAudit(tx, ...ids.map((sessionId) => ({ actor: null, action, subject, sessionId, reason })));
  return true;
}

function findSessions(tx: Transaction, userId: number): Promise<number[]> {
  return queryColumn(tx, wholeNumber)`
    SELECT s.id FROM sessions s
    WHERE s.state <> 'stopped' AND NOT EXISTS (SELECT 1 FROM session_hosts h WHERE h.session_id = s.id AND h.user_id = ${userId})
      AND (SELECT count(*) FROM session_hosts h WHERE h.session_id = s.id) < ${SESSION_HOSTS_MAX}
    ORDER BY s.id DESC
    LIMIT greatest(0, ${HOSTED_SESSIONS_MAX} - (SELECT count(*) FROM session_hosts h WHERE h.user_id = ${userId}))`;
}
