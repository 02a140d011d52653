import { eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import type { SessionRow } from "./with-session.ts";

/** Finds a session by its slug or its id; null if there is none. Slugs are never all digits. */
export async function findSession(db: Queryable, slugOrId: string | number): Promise<SessionRow | null> {
  const named = readKey(slugOrId);
  if (named === null) return null;
  const [row] = await findBy(db, named.by).execute({ key: named.key });
  return row ?? null;
}

const findBy = prepareQuery(
  (db, by: "slug" | "id") =>
    db
      .select()
      .from(sessions)
      .where(eq(sessions[by], sql.placeholder("key")))
      .prepare("find_session"),
  (by) => by,
);

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
  const [row] = await findActive(db).execute();
  return row ?? null;
}

const findActive = prepareQuery((db) =>
  db.select().from(sessions).where(eq(sessions.active, true)).prepare("find_active_session"),
);

/** The condition that selects a session by slug or id; null for a text that is neither. */
export function sessionKey(slugOrId: string | number) {
  const named = readKey(slugOrId);
  return named === null ? null : eq(sessions[named.by], named.key);
}

function readKey(slugOrId: string | number): { by: "slug" | "id"; key: string | number } | null {
  const key = String(slugOrId);
  if (!/^[a-z0-9-]+$/.test(key)) return null;
  if (!/^\d+$/.test(key)) return { by: "slug", key };
  return Number.isSafeInteger(Number(key)) ? { by: "id", key: Number(key) } : null;
}
