import { sql } from "drizzle-orm";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { prepareStatement } from "#db/prepare-statement.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { knownSignIn } from "#src/people/sign-ins/find-sign-in.ts";
import type { SessionKey } from "#src/play/find-session-id.ts";

/*
 * The streams of a page are named by the ids of its user and its session, and their offsets are read before anything else. So a
 * process remembers these ids: the user of a sign-in and the id behind a slug never change. Whether the sign-in is still valid and the
 * session still exists is read for each page.
 */

const SLUGS_MAX = 1_000;
const LOOKUP_BATCH_MAX = 256;

/** What a request names. */
export type Named = { signInId: string | null; key: SessionKey | null };
export type Ids = { userId: number | null; sessionId: number | null };

/** The ids of sessions by their slugs. */
const known = new WeakMap<Deps["pool"], Map<SessionKey, number>>();

/** The ids behind names; null for those that do not exist. Only unknown names are looked up. */
export async function findIds(deps: Deps, { signInId, key }: Named): Promise<Ids> {
  const sessions = sessionsKnownBy(deps);
  const slug = typeof key === "string" ? key : null;
  const userId = signInId === null ? null : knownSignIn(deps, signInId)?.viewer.id;
  const sessionId = typeof key === "string" ? sessions.get(key) : key;
  if (userId !== undefined && sessionId !== undefined) return { userId, sessionId };
  const found = await lookUp(deps, { signInId, slug });
  if (slug !== null && found.sessionId !== null) remember(sessions, slug, found.sessionId);
  return { userId: userId ?? found.userId, sessionId: sessionId ?? found.sessionId };
}

/** Forgets a slug whose session is gone: another session may have it now. @returns false if it was not known. */
export function forgetSlug(deps: Deps, key: SessionKey): boolean {
  return sessionsKnownBy(deps).delete(key);
}

function sessionsKnownBy({ pool }: Deps): Map<SessionKey, number> {
  const sessions = known.get(pool) ?? new Map<SessionKey, number>();
  known.set(pool, sessions);
  return sessions;
}

/** Evicts the oldest entry when there are too many. */
function remember(sessions: Map<SessionKey, number>, slug: string, id: number): void {
  const [oldest] = sessions.keys();
  if (oldest !== undefined && sessions.size >= SLUGS_MAX) sessions.delete(oldest);
  sessions.set(slug, id);
}

type Unknown = { signInId: string | null; slug: string | null };

const selectIds = prepareStatement<Ids, { signInIds: string; slugs: string }>(sql`
  SELECT (SELECT user_id::float8 FROM sign_ins WHERE id = named.sign_in_id) AS "userId",
    (SELECT id::float8 FROM sessions WHERE slug = named.slug) AS "sessionId"
  FROM unnest(${sql.placeholder("signInIds")}::uuid[], ${sql.placeholder("slugs")}::text[]) WITH ORDINALITY
    AS named(sign_in_id, slug, number)
  ORDER BY named.number`);

const lookUp = createBatcher(LOOKUP_BATCH_MAX, ({ pool }: Deps, names: readonly Unknown[]) =>
  selectIds(pool, {
    signInIds: writeTextArray(names.map(({ signInId }) => signInId)),
    slugs: writeTextArray(names.map(({ slug }) => slug)),
  }),
);
