import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryRow } from "#db/ledger/query.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import { PROVEN_S } from "#src/people/sign-ins/contract.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { runsShows } from "#src/people/users/roles-of-user.ts";
import { FRESH_S } from "./contract.ts";
import { type PasskeysAnswer, passkeySchema, type PasskeyView } from "./schemas.ts";

/** The user and the sign-in of a request; the id is never null for a signed-in account. */
export type SignedIn = { viewer: Viewer; signInId: string };

/** The sign-in of a request. Refuses one without: 401. */
export function signedIn(viewer: Viewer, { signInId }: Authentication): SignedIn {
  if (signInId === null) throw unauthenticated();
  return { viewer, signInId };
}

/** What a passkey says of a sign-in: it has confirmed it, and did so as the sign-in began, or the provider did since, at most ten minutes ago. */
const byPasskeyRow = v.object({ byPasskey: v.boolean(), fresh: v.boolean() });

/** Whether a passkey has confirmed this sign-in, and whether that is so fresh that it proves who sits there. */
export function readByPasskey(
  { pool }: Pick<Deps, "pool">,
  signInId: string,
): Promise<v.InferOutput<typeof byPasskeyRow>> {
  return queryRow(pool.db, byPasskeyRow)`SELECT by_passkey AS "byPasskey",
    (by_passkey AND created_at > clock_timestamp() - make_interval(secs => ${FRESH_S})) OR
      coalesce(proven_at > clock_timestamp() - make_interval(secs => ${PROVEN_S}), FALSE) AS fresh
    FROM sign_ins WHERE id = ${signInId}`;
}

export type PasskeyRow = typeof passkeys.$inferSelect;

/** The viewer's passkeys, whether one has confirmed this sign-in, and whether the viewer's roles demand one. */
export async function listPasskeys(deps: Deps, { viewer, signInId }: SignedIn): Promise<PasskeysAnswer> {
  const [rows, { byPasskey, fresh }, isNeeded] = await Promise.all([
    findPasskeys(deps.pool.db, viewer.id),
    readByPasskey(deps, signInId),
    runsShows(deps.pool.db, viewer.id),
  ]);
  const required = deps.env.adminPasskeysRequired && isNeeded;
  return { passkeys: rows.map(presentPasskey), confirmed: byPasskey, fresh, required };
}

export function findPasskeys(db: Queryable, userId: number): Promise<PasskeyRow[]> {
  return db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id));
}

export const presentPasskey = (row: PasskeyRow): PasskeyView => present(passkeySchema, row);
