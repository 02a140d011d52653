import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import type { SessionRow } from "./with-session.ts";

/** Finds a session by its slug or its id; null if there is none. Slugs are never all digits. */
export async function findSession(db: Queryable, slugOrId: string | number): Promise<SessionRow | null> {
  const key = sessionKey(slugOrId);
  if (key === null) return null;
  const [row] = await db.select().from(sessions).where(key);
  return row ?? null;
}

/**
 * Finds a session by its slug or its id.
 * @throws Refusal 404 if there is none.
 */
export async function requireSession(db: Queryable, slugOrId: string | number): Promise<SessionRow> {
  const session = await findSession(db, slugOrId);
  if (session === null) throw notFound();
  return session;
}

/** The active session, to which players are taken; null if none is active. */
export async function findActiveSession(db: Queryable): Promise<SessionRow | null> {
  const [row] = await db.select().from(sessions).where(eq(sessions.active, true));
  return row ?? null;
}

/** The condition that selects a session by slug or id; null for a text that is neither. */
export function sessionKey(slugOrId: string | number) {
  const key = String(slugOrId);
  if (!/^[a-z0-9-]+$/.test(key)) return null;
  if (!/^\d+$/.test(key)) return eq(sessions.slug, key);
  return Number.isSafeInteger(Number(key)) ? eq(sessions.id, Number(key)) : null;
}
