import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import { createCsrfSecret } from "#src/http/csrf.ts";
import type { Viewer } from "./viewer.ts";

const HOUR_S = 3_600;
/** The longest duration of a sign-in, however active it is. */
const LIFETIME_S = 12 * HOUR_S;
/** "Remember me" */
const REMEMBERED_LIFETIME_S = 14 * 24 * HOUR_S;
const USER_AGENT_LENGTH_MAX = 500;

/** The browser that signs in: its address and user agent. */
export type Browser = { address: string; userAgent: string | null };

export type SignIn = {
  id: string;
  viewer: Viewer;
  csrfSecret: string;
  /** How long the browser keeps the cookie, in seconds; undefined: until it is closed. */
  maxAgeSeconds: number | undefined;
};

export function browserOf({ address }: { address: string }, { headers }: Request): Browser {
  return { address, userAgent: headers.get("user-agent") };
}

/** Starts a sign-in for an authenticated user: a new row with its own secret, beside any other sign-ins. */
export async function startSignIn(
  db: Queryable,
  { viewer, remembered, address, userAgent }: { viewer: Viewer; remembered: boolean } & Browser,
): Promise<SignIn> {
  const lifetimeSeconds = remembered ? REMEMBERED_LIFETIME_S : LIFETIME_S;
  const csrfSecret = createCsrfSecret();
  const [row] = await db
    .insert(signIns)
    .values({
      userId: viewer.id,
      csrfSecret,
      remembered,
      address: address === "" ? null : address,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
      expiresAt: sql`clock_timestamp() + make_interval(secs => ${lifetimeSeconds})`,
    })
    .returning({ id: signIns.id });
  if (row === undefined) throw new Error("the insert of a sign-in returned no row");
  return { id: row.id, viewer, csrfSecret, maxAgeSeconds: remembered ? lifetimeSeconds : undefined };
}
