import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow, writeTextArray } from "#db/ledger/query.ts";
import { breakUntil } from "#db/on-break.ts";
import { prepareStatement } from "#db/prepare-statement.ts";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { isSignedIn, isStale, isUnconfirmedNow, isUnexpired } from "#db/sign-in-conditions.ts";
import { createBatcher } from "#src/base/batcher.ts";
import { boundedMaps } from "#src/base/bounded-map.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Viewer, viewerColumnsRow, viewerIn, viewerRow, withholdRoles, withoutRoles } from "./viewer.ts";

const KNOWN_MAX = 20_000;
/** The largest number of sign-ins in one query; see createBatcher. */
const LOOKUP_BATCH_MAX = 256;

/** A sign-in that was not ended, as the database judges it. */
export const signInRow = v.object({
  signInId: v.string(),
  csrfSecret: v.string(),
  expired: v.boolean(),
  unconfirmed: v.boolean(),
  byPasskey: v.boolean(),
  /** When it was last seen has to be updated. */
  stale: v.boolean(),
});
export type SignInRow = v.InferOutput<typeof signInRow>;

/** Why a sign-in that was not ended is invalid nevertheless. */
export type InvalidReason = "expired" | "unconfirmed";

export type FoundSignIn = { viewer: Viewer; csrfSecret: string; invalidReason: InvalidReason | null };

/**
 * Finds a sign-in that was not ended, with its user and roles. Concurrent requests share one query. Nothing is cached, so a
 * sign-out counts at once.
 * @returns null if the sign-in was ended or does not exist. `invalidReason` says if it has expired, or if its user should have
 *   confirmed the email address by now.
 */
export const findSignIn = createBatcher(LOOKUP_BATCH_MAX, findSignIns, { collects: true });

async function findSignIns(deps: Deps, signInIds: readonly string[]): Promise<(FoundSignIn | null)[]> {
  const rows = await selectSignIns(deps.pool, { ids: writeTextArray(signInIds) });
  const byId = new Map(rows.map((row) => [row.signInId, acceptSignIn(deps, row, viewerIn(row))]));
  return signInIds.map((id) => byId.get(id) ?? null);
}

const foundRow = v.object({ ...signInRow.entries, ...viewerColumnsRow.entries });

/** In SQL: the columns of a sign-in and its user that make a SignInRow. */
export const signInColumns = sql`${signIns.id} AS "signInId", ${signIns.csrfSecret} AS "csrfSecret", ${signIns.byPasskey} AS "byPasskey",
  NOT ${isUnexpired} AS expired, ${isUnconfirmedNow} AS unconfirmed,
  ${isStale} AS stale`;

/** Decides whether a sign-in is valid, and records that its user was seen. */
export function acceptSignIn(
  deps: Deps,
  { signInId, csrfSecret, stale, byPasskey, expired, unconfirmed }: SignInRow,
  viewer: Viewer,
): FoundSignIn {
  const found = expired ? "expired" : "unconfirmed";
  const invalidReason: InvalidReason | null = expired || unconfirmed ? found : null;
  if (invalidReason === null) known(deps.pool).set(signInId, { viewer, csrfSecret });
  if (stale && invalidReason === null) void touchSignIn(deps, signInId);
  return { viewer: withholdRoles(deps.env, viewer, { byPasskey }), csrfSecret, invalidReason };
}

/**
 * What this process remembers of a sign-in that it has seen. Whose it is and its anti-forgery secret never change; everything else
 * about the viewer does, so no roles are assumed. Whether it is still valid is judged for each request.
 */
type KnownSignIn = { viewer: Viewer; csrfSecret: string };

const known = boundedMaps<string, KnownSignIn>(KNOWN_MAX);

/** Null for a sign-in that this process has not seen, or no longer remembers. */
export function knownSignIn({ pool }: Pick<Deps, "pool">, signInId: string): KnownSignIn | null {
  const remembered = known(pool).get(signInId);
  return remembered === undefined ? null : { ...remembered, viewer: withoutRoles(remembered.viewer) };
}

/** The columns of a user that make a viewer; see viewerRow. */
export const viewerColumns = sql`${users.id} AS "userId", ${users.email} AS email, ${users.username} AS username,
  ${users.avatar} AS avatar, ${users.guest} AS guest, ${users.createdAt} AS "createdAt", ${breakUntil(users.id)} AS "breakUntil",
  ARRAY(SELECT ${userRoles.role} FROM ${userRoles} WHERE ${userRoles.userId} = ${users.id} ORDER BY 1) AS roles,
  coalesce((SELECT json_agg(h.session_id ORDER BY h.session_id) FROM ${sessionHosts} h WHERE h.user_id = ${users.id}), '[]') AS "hostOf"`;

/** Those of these sign-ins that were not ended, with their users. */
export const selectSignIns = prepareStatement<v.InferOutput<typeof foundRow>, { ids: string }>(sql`
  SELECT ${signInColumns}, ${viewerColumns}
  FROM ${signIns} JOIN ${users} ON ${users.id} = ${signIns.userId}
  WHERE ${signIns.id} = ANY ((SELECT ${sql.placeholder("ids")}::uuid[])::uuid[]) AND ${isSignedIn}`);

/** A user as a viewer. Throws if there is no user with this id. */
export function findViewer(db: Queryable, userId: number): Promise<Viewer> {
  return queryRow(db, viewerRow)`SELECT ${viewerColumns} FROM ${users} WHERE ${users.id} = ${userId}`;
}

/** The largest number of sign-ins in one update; see createBatcher. */
const BATCH_MAX = 256;

/**
 * Records that a user was seen. Sign-ins of the same moment share one update: after a break all viewers of a show return
 * together. No answer waits for it, and after a failure the next request tries again.
 */
export async function touchSignIn(deps: Pick<Deps, "pool" | "log">, signInId: string): Promise<void> {
  try {
    await touchInBatch(deps.pool, signInId);
  } catch (error) {
    deps.log.warn({ err: error }, "could not update when a sign-in was last seen");
  }
}

const touchInBatch = createBatcher(BATCH_MAX, touchSignIns, { collects: true });

/** A row that is locked is left out. So two processes that see the same users never wait for each other. */
async function touchSignIns({ db }: Deps["pool"], signInIds: readonly string[]): Promise<null[]> {
  await db.execute(sql`
    UPDATE ${signIns} SET last_seen_at = clock_timestamp() WHERE ${signIns.id} IN (
      SELECT ${signIns.id} FROM ${signIns}
      WHERE ${signIns.id} = ANY (${writeTextArray(signInIds)}::uuid[]) AND ${isStale}
      FOR NO KEY UPDATE SKIP LOCKED)`);
  return signInIds.map(() => null);
}
