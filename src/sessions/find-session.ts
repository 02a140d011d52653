import { eq, or, sql } from "drizzle-orm";
import { anyOfPlaceholder } from "#db/any-of.ts";
import type { Database, Queryable } from "#db/client.ts";
import { writeIntegerArray, writeTextArray } from "#db/ledger/write-array.ts";
import { prepareQuery } from "#db/prepare-query.ts";
import { sessions } from "#db/schema/sessions.ts";
import { createBatcher } from "#src/base/batcher.ts";
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

const BATCH_MAX = 256;

/**
 * The id of the session with this slug or id; null if there is none. Callers of the same moment share one query.
 * @param slugOrId slugs are never all digits.
 */
export function findSessionId(db: Database, slugOrId: string | number): Promise<number | null> {
  return findInBatch(db, String(slugOrId));
}

const findInBatch = createBatcher(BATCH_MAX, findSessionIds, { collects: true });

const findAll = prepareQuery((db) =>
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

async function findSessionIds(db: Database, keys: readonly string[]): Promise<(number | null)[]> {
  const named = keys.map(readKey);
  // Most players ask for the same session.
  const wanted = [...new Set(named.map((each) => each?.key))];
  const ids = wanted.filter((key) => typeof key === "number");
  const slugs = wanted.filter((key) => typeof key === "string");
  const rows = await findAll(db).execute({ ids: writeIntegerArray(ids), slugs: writeTextArray(slugs) });
  const byKey = new Map<string | number, number>(
    rows.flatMap(({ id, slug }) => [[id, id] as const, [slug, id] as const]),
  );
  return named.map((each) => byKey.get(each?.key ?? "") ?? null);
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
