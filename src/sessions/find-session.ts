import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import type { SessionRow } from "./with-session.ts";

/** Finds a session by its slug or its id; null where there is none. Slugs are never all digits. */
export async function findSession(db: Queryable, slugOrId: string | number): Promise<SessionRow | null> {
  const key = sessionKey(slugOrId);
  if (key === null) return null;
  const [row] = await db.select().from(sessions).where(key);
  return row ?? null;
}

/**
 * The same where there must be one.
 * @throws Refusal 404 where there is none.
 */
export async function requireSession(db: Queryable, slugOrId: string | number): Promise<SessionRow> {
  const session = await findSession(db, slugOrId);
  if (session === null) throw notFound();
  return session;
}

/** The session that players are taken to; null where none is. */
export async function findActiveSession(db: Queryable): Promise<SessionRow | null> {
  const [row] = await db.select().from(sessions).where(eq(sessions.active, true));
  return row ?? null;
}

/** The condition that finds a session by slug or id; null for what no session can have. */
export function sessionKey(slugOrId: string | number) {
  const key = String(slugOrId);
  if (!/^[a-z0-9-]+$/.test(key)) return null;
  if (!/^\d+$/.test(key)) return eq(sessions.slug, key);
  return Number.isSafeInteger(Number(key)) ? eq(sessions.id, Number(key)) : null;
}
