import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { registrations } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireOpenSession } from "./find-session.ts";
import { presentRegistration } from "./present-registration.ts";
import type { RegistrationView } from "./schemas.ts";

/**
 * One registration of a session: players can read their own, admins all.
 * @throws Refusal 404 for an unknown registration, and for another player's.
 */
export async function showRegistration(
  db: Queryable,
  { slugOrId, registrationId, viewer }: { slugOrId: string; registrationId: number; viewer: Viewer },
): Promise<{ registration: RegistrationView }> {
  const { id: sessionId } = await requireOpenSession(db, slugOrId, viewer);
  const own = isAdmin(viewer) ? undefined : eq(registrations.userId, viewer.id);
  const [row] = await db
    .select()
    .from(registrations)
    .where(and(eq(registrations.id, registrationId), eq(registrations.sessionId, sessionId), own));
  if (row === undefined) throw notFound();
  return { registration: presentRegistration(row) };
}
