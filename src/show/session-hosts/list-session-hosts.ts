import { asc, eq } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Queryable } from "#db/client.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { users } from "#db/schema/users.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import { SESSION_HOSTS_MAX } from "./contract.ts";
import type { SessionHostsAnswer } from "./schemas.ts";

const admins = alias(users, "admins");

/**
 * The hosts of a session, in the order in which they were added.
 * @param viewer an admin, or a host of the session, who reads no email addresses.
 * @throws Refusal 404 for an unknown session.
 */
export async function listSessionHosts(
  db: Queryable,
  slugOrId: string | number,
  { actsIn }: Pick<Viewer, "actsIn">,
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
  return {
    sessionHosts: rows.map(({ email, createdAt, ...row }) => ({
      ...row,
      email: actsIn === undefined ? email : null,
      createdAt: createdAt.toISOString(),
    })),
  };
}
