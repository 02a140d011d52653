import { and, eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import type { Role } from "#db/lists/users.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { userRoles, users } from "#db/schema/users.ts";
import { notFound } from "#src/base/refusal.ts";

/** In SQL, for queries of `users`: the user's roles, sorted. */
export const rolesOfUser = sql<Role[]>`ARRAY(
  SELECT r.role FROM ${userRoles} r WHERE r.user_id = users.id ORDER BY 1)`;

/** True for an admin, also where the role is withheld from the present sign-in. */
export async function hasAdminRole(db: Queryable, userId: number): Promise<boolean> {
  return (await db.$count(userRoles, and(eq(userRoles.userId, userId), eq(userRoles.role, "admin")))) > 0;
}

/** True for who decides about a show: an admin, or the host of a session. */
export async function runsShows(db: Queryable, userId: number): Promise<boolean> {
  return (
    (await hasAdminRole(db, userId)) || (await db.$count(sessionHosts, eq(sessionHosts.userId, userId))) > 0
  );
}

/** Refuses a request about an unknown user, where an answer without rows would look like a user who has none. */
export async function requireUser(db: Queryable, userId: number): Promise<void> {
  const [user] = await db.select({ id: users.id }).from(users).where(eq(users.id, userId));
  if (user === undefined) throw notFound();
}
