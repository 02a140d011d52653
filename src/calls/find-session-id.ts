import { eq } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";

/**
 * The id of a session that a request names by id or slug. A slug is never all digits.
 * @returns undefined if none is named.
 * @throws Refusal 404 for an unknown session.
 */
export function findSessionId(db: Queryable, slugOrId: string): Promise<number>;
export function findSessionId(db: Queryable, slugOrId: string | undefined): Promise<number | undefined>;
export async function findSessionId(
  db: Queryable,
  slugOrId: string | undefined,
): Promise<number | undefined> {
  if (slugOrId === undefined) return undefined;
  if (!/^[a-z0-9-]+$/.test(slugOrId)) throw notFound();
  const id = /^\d{1,15}$/.test(slugOrId) ? Number(slugOrId) : null;
  const [found] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(id === null ? eq(sessions.slug, slugOrId) : eq(sessions.id, id));
  if (found === undefined) throw notFound();
  return found.id;
}

/**
 * Locks a session against deletion until the transaction ends, before a row that refers to it is inserted. Without the lock a
 * concurrent DELETE of the session would turn the insert into a foreign key violation.
 * @throws Refusal 404 for an unknown session.
 */
export async function lockAgainstDeletion(tx: Transaction, sessionId: number): Promise<void> {
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
    .for("key share");
  if (session === undefined) throw notFound();
}
