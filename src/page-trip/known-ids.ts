import { sql } from "drizzle-orm";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { prepareStatement } from "#db/prepare-statement.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";

/*
 * The streams of a page are named by the ids of its user and its session, and their offsets are read before anything else. So a
 * process remembers these ids: the user of a sign-in and the id behind a slug never change. Nothing else is remembered. Whether
 * the sign-in is still valid and the session still exists is read for each page.
 */

const SIGN_INS_MAX = 20_000;
const SLUGS_MAX = 1_000;
const LOOKUP_BATCH_MAX = 256;

/** What a request names. */
export type Named = { signInId: string | null; slugOrId: string | null };
export type Ids = { userId: number | null; sessionId: number | null };

type Known = { users: Map<string, number>; sessions: Map<string, number> };
const known = new WeakMap<Deps["pool"], Known>();

/** The ids behind names; null for those that do not exist. Only unknown names are looked up. */
export async function findIds(deps: Deps, named: Named): Promise<Ids> {
  const { users, sessions } = knownBy(deps);
  const { signInId, slugOrId } = named;
  const userId = signInId === null ? null : users.get(signInId);
  const sessionId = slugOrId === null ? null : (sessionIdIn(slugOrId) ?? sessions.get(slugOrId));
  if (userId !== undefined && sessionId !== undefined) return { userId, sessionId };
  const found = await lookUp(deps, named);
  if (signInId !== null && found.userId !== null) remember(users, signInId, found.userId, SIGN_INS_MAX);
  if (slugOrId !== null && found.sessionId !== null) remember(sessions, slugOrId, found.sessionId, SLUGS_MAX);
  return { userId: userId ?? found.userId, sessionId: sessionId ?? found.sessionId };
}

/** Forgets a slug whose session is gone: another session may have it now. @returns false if it was not known. */
export function forgetSlug(deps: Deps, slug: string): boolean {
  return knownBy(deps).sessions.delete(slug);
}

/** Slugs are never all digits. */
function sessionIdIn(slugOrId: string): number | undefined {
  const id = /^\d+$/.test(slugOrId) ? Number(slugOrId) : Number.NaN;
  return Number.isSafeInteger(id) ? id : undefined;
}

function knownBy({ pool }: Deps): Known {
  const existing = known.get(pool);
  if (existing !== undefined) return existing;
  const created = { users: new Map<string, number>(), sessions: new Map<string, number>() };
  known.set(pool, created);
  return created;
}

/** Evicts the oldest entry when the map is full. */
function remember(map: Map<string, number>, name: string, id: number, sizeMax: number): void {
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size >= sizeMax) map.delete(oldest);
  map.set(name, id);
}

type IdsRow = { userId: number | null; sessionId: number | null };

const selectIds = prepareStatement<IdsRow, { signInIds: string; slugs: string }>(sql`
  SELECT (SELECT user_id::float8 FROM sign_ins WHERE id = named.sign_in_id) AS "userId",
    (SELECT id::float8 FROM sessions WHERE slug = named.slug) AS "sessionId"
  FROM unnest(${sql.placeholder("signInIds")}::uuid[], ${sql.placeholder("slugs")}::text[]) WITH ORDINALITY
    AS named(sign_in_id, slug, number)
  ORDER BY named.number`);

const lookUp = createBatcher(LOOKUP_BATCH_MAX, ({ pool }: Deps, named: readonly Named[]) =>
  selectIds(pool, {
    signInIds: writeTextArray(named.map(({ signInId }) => signInId)),
    slugs: writeTextArray(named.map(({ slugOrId }) => slugOrId)),
  }),
);
