import { eq, type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { isPrivate } from "#src/play/access-denied.ts";
import { readSessionKey, requireSessionId, type SessionKey } from "#src/play/find-session-id.ts";
import type { SessionRow } from "./with-session.ts";

/** Finds a session by its slug or its id; null if there is none. */
export async function findSession(db: Queryable, slugOrId: SessionKey): Promise<SessionRow | null> {
  const key = keyIn(slugOrId);
  if (key === null) return null;
  const [row] = await findBy(db, typeof key === "number" ? "id" : "slug").execute({ key });
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

export async function requireSession(db: Queryable, slugOrId: SessionKey): Promise<SessionRow> {
  const session = await findSession(db, slugOrId);
  if (session === null) throw notFound();
  return session;
}

/** The same, locked against its deletion until the transaction ends. */
export async function lockNamed(tx: Transaction, slugOrId: SessionKey): Promise<SessionRow> {
  const isNamed = isSession(slugOrId);
  const [session] = isNamed === null ? [] : await tx.select().from(sessions).where(isNamed).for("key share");
  if (session === undefined) throw notFound();
  return session;
}

/**
 * The same for a session that is not shut for the viewer; null: a client that is signed out, for whom private ones are.
 */
export async function requireOpenSession(
  db: Queryable,
  slugOrId: SessionKey,
  viewer: Pick<Viewer, "id" | "roles"> | null,
): Promise<SessionRow> {
  const session = await requireSession(db, slugOrId);
  if (viewer === null && isPrivate(session.settings)) throw notFound();
  if (viewer !== null) await requireSessionId(db, String(session.id), viewer);
  return session;
}

/** The condition that selects a session by slug or id; null for a text that is neither. */
export function isSession(slugOrId: SessionKey): SQL | null {
  const key = keyIn(slugOrId);
  if (key === null) return null;
  return typeof key === "number" ? eq(sessions.id, key) : eq(sessions.slug, key);
}

function keyIn(slugOrId: SessionKey): SessionKey | null {
  return typeof slugOrId === "number" ? slugOrId : readSessionKey(slugOrId);
}
