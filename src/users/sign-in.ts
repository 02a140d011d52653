import { sql } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import type { Deps } from "#src/deps.ts";
import { createCsrfSecret } from "#src/http/csrf.ts";
import { Refusal } from "#src/http/refusal.ts";
import type { SignInBody } from "./contract.ts";
import { findCredentials } from "./find-credentials.ts";
import { verifyPassword } from "./passwords.ts";
import type { Viewer } from "./viewer.ts";

const HOUR_S = 3_600;
/** However busy somebody is, a sign-in is over after this. */
const LIFETIME_S = 12 * HOUR_S;
/** "Remember me" */
const REMEMBERED_LIFETIME_S = 14 * 24 * HOUR_S;
const USER_AGENT_LENGTH_MAX = 500;

export type SignIn = {
  id: string;
  viewer: Viewer;
  csrfSecret: string;
  /** How long the browser keeps the cookie; undefined: until it is closed. */
  maxAgeSeconds: number | undefined;
};

/**
 * Signs somebody in: a new sign-in row, whatever else there is.
 * Refuses an unknown email and a wrong password alike, in words and in time (401), and a deactivated account (403).
 */
export async function signIn(
  deps: Deps,
  input: SignInBody & { address: string; userAgent: string | null },
): Promise<SignIn> {
  const credentials = await findCredentials(deps.pool.db, input.email);
  const matches = await verifyPassword(input.password, credentials?.passwordHash ?? null);
  if (credentials === null || !matches) throw invalidCredentials();
  if (credentials.deactivated) throw notActivated();

  const remembered = input.rememberMe;
  const lifetimeSeconds = remembered ? REMEMBERED_LIFETIME_S : LIFETIME_S;
  const csrfSecret = createCsrfSecret();
  const [row] = await deps.pool.db
    .insert(signIns)
    .values({
      userId: credentials.viewer.id,
      csrfSecret,
      remembered,
      address: input.address === "" ? null : input.address,
      userAgent: input.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
      expiresAt: sql`clock_timestamp() + make_interval(secs => ${lifetimeSeconds})`,
    })
    .returning({ id: signIns.id });
  if (row === undefined) throw new Error("A sign-in was inserted, but none came back");
  const maxAgeSeconds = remembered ? lifetimeSeconds : undefined;
  return { id: row.id, viewer: credentials.viewer, csrfSecret, maxAgeSeconds };
}

function invalidCredentials(): Refusal {
  return new Refusal(401, "invalid_credentials", "Invalid credentials or password.");
}

function notActivated(): Refusal {
  return new Refusal(403, "inactive", "Your account is not activated yet.");
}
