import { sql } from "drizzle-orm";
import * as v from "valibot";
import { writeTextArray } from "#db/ledger/write-array.ts";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { createBatcher } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { type Viewer, viewerRow } from "./viewer.ts";

/** Without a sign of life for so long, a sign-in that is not remembered is over. */
const IDLE_MINUTES_MAX = 30;
/** How exactly it is known when somebody was last seen. */
const TOUCH_AFTER_SECONDS = 60;
/** Requests that arrive while the database is asked for others are looked up together. */
const LOOKED_UP_AT_ONCE_MAX = 256;

/** In SQL: this sign-in's time is not over, and it was not idle for too long. */
export const isAlive = sql<boolean>`(${signIns.expiresAt} > clock_timestamp() AND (${signIns.remembered}
  OR ${signIns.lastSeenAt} > clock_timestamp() - make_interval(mins => ${IDLE_MINUTES_MAX})))`;

const signInRow = v.object({
  signInId: v.string(),
  csrfSecret: v.string(),
  expired: v.boolean(),
  unconfirmed: v.boolean(),
  stale: v.boolean(),
});

/** Why a sign-in that nobody has ended opens nothing all the same. */
export type Shut = "expired" | "unconfirmed";

export type FoundSignIn = { viewer: Viewer; csrfSecret: string; shut: Shut | null };

/**
 * Finds a sign-in that nobody has ended, with its user and roles. Nothing is remembered: whatever was committed before the
 * asking counts.
 * @returns null where it was ended or never was; `shut` where its time or its patience is over, or where the address should
 *   have been confirmed by now.
 */
export function findSignIn(deps: Deps, signInId: string): Promise<FoundSignIn | null> {
  return findTogether(deps, signInId);
}

const findTogether = createBatcher(LOOKED_UP_AT_ONCE_MAX, findSignIns);

async function findSignIns(deps: Deps, signInIds: readonly string[]): Promise<(FoundSignIn | null)[]> {
  const rows = await deps.pool.db.execute(sql`
    SELECT ${signIns.id} AS "signInId", ${signIns.csrfSecret} AS "csrfSecret",
      NOT ${isAlive} AS expired,
      ${isUnconfirmedNow} AS unconfirmed,
      ${signIns.lastSeenAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS}) AS stale,
      ${viewerColumns}
    FROM ${signIns} JOIN ${users} ON ${users.id} = ${signIns.userId}
    WHERE ${signIns.id} = ANY (${writeTextArray(signInIds)}::uuid[])
      AND ${signIns.endedAt} IS NULL AND ${users.deactivatedAt} IS NULL`);
  const found = new Map([...rows].map((row) => presentSignIn(deps, row)));
  return signInIds.map((id) => found.get(id) ?? null);
}

function presentSignIn(deps: Deps, row: unknown): [string, FoundSignIn] {
  const { signInId, csrfSecret, stale, ...state } = v.parse(signInRow, row);
  const shut = shutBy(state);
  if (stale && shut === null) void touchSignIn(deps, signInId);
  return [signInId, { viewer: v.parse(viewerRow, row), csrfSecret, shut }];
}

function shutBy({ expired, unconfirmed }: { expired: boolean; unconfirmed: boolean }): Shut | null {
  if (expired) return "expired";
  return unconfirmed ? "unconfirmed" : null;
}

/** The columns of a user that make a viewer; see viewerRow. */
export const viewerColumns = sql`${users.id} AS "userId", ${users.email} AS email, ${users.username} AS username,
  ${users.avatar} AS avatar, ${users.guest} AS guest, ${users.createdAt} AS "createdAt",
  ARRAY(SELECT ${userRoles.role} FROM ${userRoles} WHERE ${userRoles.userId} = ${users.id} ORDER BY 1) AS roles`;

/** Notes that somebody was seen. The answer does not wait for it; a failure only makes the next request try again. */
async function touchSignIn({ pool, log }: Deps, signInId: string): Promise<void> {
  try {
    await pool.db.execute(
      sql`UPDATE ${signIns} SET last_seen_at = clock_timestamp() WHERE ${signIns.id} = ${signInId}
        AND ${signIns.lastSeenAt} < clock_timestamp() - make_interval(secs => ${TOUCH_AFTER_SECONDS})`,
    );
  } catch (error) {
    log.warn({ err: error }, "could not note when a sign-in was last seen");
  }
}

/** In SQL: this user had the time to confirm the address, and did not. */
export const isUnconfirmedNow = sql<boolean>`(${users.confirmedAt} IS NULL AND ${users.confirmBy} IS NOT NULL
  AND ${users.confirmBy} <= clock_timestamp())`;
