import { eq, or, sql } from "drizzle-orm";
import { anyOfPlaceholder } from "#db/any-of.ts";
import type { Queryable, Transaction } from "#db/client.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/write-array.ts";
import { onlyDigits, slugFormat } from "#db/lists/session-address.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { notFound } from "#src/base/refusal.ts";
import { shareReads } from "#src/base/share-reads.ts";
import { idIn } from "#src/http/read-id.ts";

/** Names a session: its id, or its slug. */
export type SessionKey = number | string;

/** Reads how a request names a session: by its slug, or by its id without a leading zero. Null for a text that names none. */
export function readSessionKey(slugOrId: string): SessionKey | null {
  if (onlyDigits.test(slugOrId)) return idIn(slugOrId);
  return slugFormat.test(slugOrId) ? slugOrId : null;
}

/** The id of the session that a request names; null if there is none. All who ask at the same moment share one read. */
export async function findSessionId(db: Queryable, slugOrId: string): Promise<number | null> {
  const key = readSessionKey(slugOrId);
  return key === null ? null : findSharedId(db, key);
}

const findSharedId = shareReads(
  () => "sessions",
  async (db: Queryable, asked: readonly SessionKey[]) => {
    // Most players ask for the same session.
    const keys = [...new Set(asked)];
    const rows = await findIds(db).execute({
      ids: writeIntegerArray(keys.filter((key) => typeof key === "number")),
      slugs: writeTextArray(keys.filter((key) => typeof key === "string")),
    });
    const idOf = new Map(
      rows.flatMap(({ id, slug }): [SessionKey, number][] => [
        [id, id],
        [slug, id],
      ]),
    );
    return (key) => idOf.get(key) ?? null;
  },
);

const findIds = prepareQuery((db) =>
  db
    .select({ id: sessions.id, slug: sessions.slug })
    .from(sessions)
    .where(
      or(
        anyOfPlaceholder(sessions.id, "ids"),
        sql`${sessions.slug} = ANY (${sql.placeholder("slugs")}::text[])`,
      ),
    )
    .prepare("find_session_ids"),
);

/**
 * The same for a session that must exist.
 * @returns undefined if none is named.
 * @throws Refusal 404 for an unknown session.
 */
export function requireSessionId(db: Queryable, slugOrId: string): Promise<number>;
export function requireSessionId(db: Queryable, slugOrId: string | undefined): Promise<number | undefined>;
export async function requireSessionId(
  db: Queryable,
  slugOrId: string | undefined,
): Promise<number | undefined> {
  if (slugOrId === undefined) return undefined;
  const found = await findSessionId(db, slugOrId);
  if (found === null) throw notFound();
  return found;
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
