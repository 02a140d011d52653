import { eq, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import { shareReads } from "#src/base/share-reads.ts";

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
  const found = await findSharedId(db, readSessionKey(slugOrId));
  if (found === null) throw notFound();
  return found;
}

/** Names a session: its id, or its slug. */
export type SessionKey = number | string;

/** @throws Refusal 404 for what no session is named. */
export function readSessionKey(slugOrId: string): SessionKey {
  if (!/^[a-z0-9-]+$/.test(slugOrId)) throw notFound();
  return /^\d{1,15}$/.test(slugOrId) ? Number(slugOrId) : slugOrId;
}

/** The id of the session with this id or slug; null if there is none. All who ask at the same moment share one read of it. */
const findSharedId = shareReads(
  (key: SessionKey) => key,
  async (db: Queryable, [key]) => {
    const [found] = await findId(db, typeof key === "number" ? "id" : "slug").execute({ key });
    return () => found?.id ?? null;
  },
);

const findId = prepareQuery(
  (db, by: "slug" | "id") =>
    db
      .select({ id: sessions.id })
      .from(sessions)
      .where(eq(sessions[by], sql.placeholder("key")))
      .prepare("find_session_id"),
  (by) => by,
);

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
