import { eq, or, type SQL, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/query.ts";
import { onlyDigits, slugFormat } from "#db/lists/session-address.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { batchReads } from "#src/base/batcher.ts";
import { notFound } from "#src/base/refusal.ts";
import { idIn } from "#src/http/check-input.ts";
import { isAdmin, type Viewer } from "#src/people/sign-ins/viewer.ts";
import { isAccessDenied } from "./access-denied.ts";

export type SessionKey = number | string;

/** Reads how a request names a session: by its slug, or by its id without a leading zero. Null for a text that names none. */
export function readSessionKey(slugOrId: string): SessionKey | null {
  if (onlyDigits.test(slugOrId)) return idIn(slugOrId);
  return slugFormat.test(slugOrId) ? slugOrId : null;
}

/** Who asks for a session: a user, or `host` where the caller has authorized a host already. */
export type SessionAsker = Pick<Viewer, "id" | "roles"> | "host";

/**
 * The id of the session that a request names; null if there is none, or if it is shut for who asks. All who ask at the same moment
 * share one read.
 */
export async function findSessionId(
  db: Queryable,
  slugOrId: string,
  asker: SessionAsker,
): Promise<number | null> {
  const key = readSessionKey(slugOrId);
  const userId = asker === "host" || isAdmin(asker) ? null : asker.id;
  return key === null ? null : findSharedId(db, { key, userId });
}

type Asked = {
  key: SessionKey;
  /** The user who must not be shut out; null: nobody. */
  userId: number | null;
};

const findSharedId = batchReads(
  () => "sessions",
  async (db: Queryable, asked: readonly Asked[]) => {
    // Most players ask for the same session.
    const keys = [...new Set(asked.map(({ key }) => key))];
    const userIds = [...new Set(asked.map(({ userId }) => userId).filter((id) => id !== null))];
    const rows = await findIds(db).execute({
      ids: writeIntegerArray(keys.filter((key) => typeof key === "number")),
      slugs: writeTextArray(keys.filter((key) => typeof key === "string")),
      userIds: writeIntegerArray(userIds),
    });
    const found = new Map(
      rows.flatMap((row): [SessionKey, typeof row][] => [
        [row.id, row],
        [row.slug, row],
      ]),
    );
    return ({ key, userId }) => {
      const row = found.get(key);
      return row === undefined || (userId !== null && row.shutOut.includes(userId)) ? null : row.id;
    };
  },
);

/** With its lists in sub-selects it is planned once. Otherwise Postgres plans each run for its lists, which takes longer than the run. */
const findIds = prepareQuery((db) => {
  const list = (name: string, type: SQL) => sql`(SELECT ${sql.placeholder(name)}::${type})::${type}`;
  const shutOut = sql`SELECT json_agg(u.id) FROM unnest(${list("userIds", sql`bigint[]`)}) AS u(id)
    WHERE ${isAccessDenied(sessions, sql`u.id`)}`;
  return db
    .select({ id: sessions.id, slug: sessions.slug, shutOut: sql<number[]>`coalesce((${shutOut}), '[]')` })
    .from(sessions)
    .where(
      or(
        sql`${sessions.id} = ANY (${list("ids", sql`bigint[]`)})`,
        sql`${sessions.slug} = ANY (${list("slugs", sql`text[]`)})`,
      ),
    )
    .prepare("find_session_ids");
});

/**
 * The same for a session that must exist.
 * @returns undefined if none is named.
 * @throws Refusal 404 for an unknown session, and for one that is shut for who asks.
 */
export function requireSessionId(db: Queryable, slugOrId: string, asker: SessionAsker): Promise<number>;
export function requireSessionId(
  db: Queryable,
  slugOrId: string | undefined,
  asker: SessionAsker,
): Promise<number | undefined>;
export async function requireSessionId(
  db: Queryable,
  slugOrId: string | undefined,
  asker: SessionAsker,
): Promise<number | undefined> {
  if (slugOrId === undefined) return undefined;
  const found = await findSessionId(db, slugOrId, asker);
  if (found === null) throw notFound();
  return found;
}

/**
 * Locks a session against deletion until the transaction ends, before a row that refers to it is inserted. Without the lock a
 * concurrent DELETE of the session would turn the insert into a foreign key violation.
 */
export async function lockAgainstDeletion(tx: Transaction, sessionId: number): Promise<void> {
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
    .for("key share");
  if (session === undefined) throw notFound();
}
