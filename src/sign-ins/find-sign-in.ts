import { sql } from "drizzle-orm";
import * as v from "valibot";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

/** A sign-in that is not remembered expires after this time without a request. */
const IDLE_MINUTES_MAX = 30;
/** `last_seen_at` is updated at most this often. */
const TOUCH_AFTER_SECONDS = 60;
/** The largest number of sign-ins in one query; see createBatcher. */
const LOOKUP_BATCH_MAX = 256;

/** In SQL: this sign-in has not expired and was not idle for too long. */
export const isUnexpired = sql<boolean>`(${signIns.expiresAt} > clock_timestamp() AND (${signIns.remembered}
  OR ${signIns.lastSeenAt} > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES_MAX})))`;

/** A sign-in that was not ended, as the database judges it. */
export const signInRow = v.object({
  signInId: v.string(),
  csrfSecret: v.string(),
  expired: v.boolean(),
  unconfirmed: v.boolean(),
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
export function findSignIn(deps: Deps, signInId: string): Promise<FoundSignIn | null> {
  return findInBatch(deps, signInId);
}

const findInBatch = createBatcher(LOOKUP_BATCH_MAX, findSignIns);

async function findSignIns(deps: Deps, signInIds: readonly string[]): Promise<(FoundSignIn | null)[]> {
  const rows = await deps.pool.db.execute(sql`
    SELECT ${signInColumns()}, ${viewerColumns}
    FROM ${signIns} JOIN ${users} ON ${users.id} = ${signIns.userId}
    WHERE ${signIns.id} = ANY (${writeTextArray(signInIds)}::uuid[]) AND ${isSignedIn()}`);
  const byId = new Map(
    [...rows].map((row) => {
      const signIn = v.parse(signInRow, row);
      return [signIn.signInId, acceptSignIn(deps, signIn, v.parse(viewerRow, row))];
    }),
  );
  return signInIds.map((id) => byId.get(id) ?? null);
}

/** In SQL: the columns of a sign-in and its user that make a SignInRow. */
export const signInColumns = () => sql`${signIns.id} AS "signInId", ${signIns.csrfSecret} AS "csrfSecret",
  NOT ${isUnexpired} AS expired, ${isUnconfirmedNow} AS unconfirmed,
  ${signIns.lastSeenAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS}) AS stale`;

/** In SQL: this sign-in was not ended, and its user was not deactivated. */
export const isSignedIn = () => sql`${signIns.endedAt} IS NULL AND ${users.deactivatedAt} IS NULL`;

/** Decides whether a sign-in is valid, and records that its user was seen. */
export function acceptSignIn(
  deps: Deps,
  { signInId, csrfSecret, stale, ...state }: SignInRow,
  viewer: Viewer,
): FoundSignIn {
  const invalidReason = invalidReasonOf(state);
  if (stale && invalidReason === null) void touchSignIn(deps, signInId);
  return { viewer, csrfSecret, invalidReason };
}

function invalidReasonOf({
  expired,
  unconfirmed,
}: {
  expired: boolean;
  unconfirmed: boolean;
}): InvalidReason | null {
  if (expired) return "expired";
  return unconfirmed ? "unconfirmed" : null;
}

/** The columns of a user that make a viewer; see viewerRow. */
export const viewerColumns = sql`${users.id} AS "userId", ${users.email} AS email, ${users.username} AS username,
  ${users.avatar} AS avatar, ${users.guest} AS guest, ${users.createdAt} AS "createdAt",
  ARRAY(SELECT ${userRoles.role} FROM ${userRoles} WHERE ${userRoles.userId} = ${users.id} ORDER BY 1) AS roles`;

/** Records that a user was seen. The answer does not wait for it, and after a failure the next request tries again. */
async function touchSignIn({ pool, log }: Deps, signInId: string): Promise<void> {
  try {
    await pool.db.execute(
      sql`UPDATE ${signIns} SET last_seen_at = clock_timestamp() WHERE ${signIns.id} = ${signInId}
        AND ${signIns.lastSeenAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS})`,
    );
  } catch (error) {
    log.warn({ err: error }, "could not update when a sign-in was last seen");
  }
}

/** In SQL: the time for this user to confirm the email address is over. */
export const isUnconfirmedNow = sql<boolean>`(${users.confirmedAt} IS NULL AND ${users.confirmBy} IS NOT NULL
  AND ${users.confirmBy} <= clock_timestamp())`;
