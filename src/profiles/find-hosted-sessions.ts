import { asc, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { sessions } from "#db/schema/sessions.ts";

/** The sessions whose host a user is, and since when. */
export function findHostedSessions(db: Queryable, userId: number) {
  return db
    .select({ slug: sessions.slug, name: sessions.name, createdAt: sessionHosts.createdAt })
    .from(sessionHosts)
    .innerJoin(sessions, eq(sessions.id, sessionHosts.sessionId))
    .where(eq(sessionHosts.userId, userId))
    .orderBy(asc(sessionHosts.id));
}
