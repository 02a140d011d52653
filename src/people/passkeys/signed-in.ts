import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { FRESH_S } from "./contract.ts";

/** The user and the sign-in of a request; the id is never null for a signed-in account. */
export type SignedIn = { viewer: Viewer; signInId: string };

/** The sign-in of a request. Refuses one without: 401. */
export function signedIn(viewer: Viewer, { signInId }: Authentication): SignedIn {
  if (signInId === null) throw unauthenticated();
  return { viewer, signInId };
}

/** What a passkey says of a sign-in: it has confirmed it, and did so as the sign-in began, at most ten minutes ago. */
const byPasskeyRow = v.object({ byPasskey: v.boolean(), fresh: v.boolean() });

/** Whether a passkey has confirmed this sign-in, and whether that is so fresh that it proves who sits there. */
export async function readByPasskey(
  { pool }: Pick<Deps, "pool">,
  signInId: string,
): Promise<v.InferOutput<typeof byPasskeyRow>> {
  const [row] = await pool.db.execute(sql`SELECT by_passkey AS "byPasskey",
    by_passkey AND created_at > clock_timestamp() - make_interval(secs => ${FRESH_S}) AS fresh
    FROM sign_ins WHERE id = ${signInId}`);
  return v.parse(byPasskeyRow, row);
}
