import { eq } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";

/**
 * The id of the session that a query string names by `session_id`: its id or its slug, which is never all digits.
 * @returns undefined where none is named.
 * @throws Refusal 404 where there is no such session.
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
