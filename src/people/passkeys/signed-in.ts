import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Deps } from "#src/base/deps.ts";
import { unauthenticated } from "#src/base/refusal.ts";
import type { Authentication } from "#src/people/sign-ins/authenticate.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";

/** The user and the sign-in of a request; the id is never null for a signed-in account. */
export type SignedIn = { viewer: Viewer; signInId: string };

/** The sign-in of a request. Refuses one without: 401. */
export function signedIn(viewer: Viewer, { signInId }: Authentication): SignedIn {
  if (signInId === null) throw unauthenticated();
  return { viewer, signInId };
}

/** Whether a passkey has confirmed this sign-in. */
export async function isByPasskey({ pool }: Pick<Deps, "pool">, signInId: string): Promise<boolean> {
  const [row] = await pool.db.execute(
    sql`SELECT by_passkey AS "byPasskey" FROM sign_ins WHERE id = ${signInId}`,
  );
  return v.parse(v.object({ byPasskey: v.boolean() }), row).byPasskey;
}
