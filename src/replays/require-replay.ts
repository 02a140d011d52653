import { and, eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { registrations } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import { can } from "#src/people/sign-ins/require-host.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { requireSession } from "#src/show/sessions/find-session.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";

/**
 * Authorizes reading a replay: who runs the session in full; players the reduced form of a session that has ended and in which they took part.
 * @throws Refusal 404 for all others, so that nobody finds out which sessions exist.
 */
export async function requireReplay(
  db: Queryable,
  viewer: Viewer,
  slugOrId: string,
): Promise<{ session: SessionRow; full: boolean }> {
  const session = await requireSession(db, slugOrId);
  if (can(viewer, "run", session)) return { session, full: true };
  // Whom a host has removed from it is registered no more.
  if (session.state !== "stopped" || !(await tookPart(db, session.id, viewer.id))) throw notFound();
  return { session, full: false };
}

async function tookPart(db: Queryable, sessionId: number, userId: number): Promise<boolean> {
  const own = and(eq(registrations.sessionId, sessionId), eq(registrations.userId, userId));
  return (await db.$count(registrations, own)) > 0;
}
