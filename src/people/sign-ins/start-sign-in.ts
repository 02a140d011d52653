import { sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { signIns } from "#db/schema/users.ts";
import { createCsrfSecret } from "#src/http/csrf.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { replaceAuthentication } from "./authenticate.ts";
import { rememberBrowser } from "./lock-account.ts";
import { endSignInCookie, startSignInCookie } from "./sign-in-cookie.ts";
import { readBrowserCookie, startBrowserCookie, startVisitorCookie } from "./signed-cookies.ts";
import { type Viewer, withholdRoles } from "./viewer.ts";

const HOUR_S = 3_600;
/** The longest duration of a sign-in, however active it is. */
const LIFETIME_S = 12 * HOUR_S;
const REMEMBERED_LIFETIME_S = 14 * 24 * HOUR_S;
const USER_AGENT_LENGTH_MAX = 500;

/** The browser that signs in: its address and user agent, and the id in its cookie if it has signed in before. */
export type Browser = { address: string; userAgent: string | null; browserId?: string | null };

export type SignIn = {
  id: string;
  viewer: Viewer;
  byPasskey: boolean;
  csrfSecret: string;
  /** How long the browser keeps the cookie, in seconds; undefined: until it is closed. */
  maxAgeSeconds: number | undefined;
  /** The id by which the account knows this browser; null for a guest, who has no password to guess. */
  browserId: string | null;
};

export function browserOf(
  env: Pick<Env, "publicUrl" | "secretKey">,
  { address }: { address: string },
  request: Request,
): Browser {
  const userAgent = request.headers.get("user-agent");
  return { address, userAgent, browserId: readBrowserCookie(env, request) };
}

type NewSignIn = Browser & {
  viewer: Viewer;
  remembered: boolean;
  byPasskey?: boolean;
  /** By which the provider has signed the user in. */
  idToken?: string;
};

/** Starts a sign-in for an authenticated user: a new row with its own secret, beside any other sign-ins. */
export async function startSignIn(
  db: Queryable,
  { viewer, remembered, byPasskey = false, idToken, ...browser }: NewSignIn,
): Promise<SignIn> {
  const lifetimeSeconds = remembered ? REMEMBERED_LIFETIME_S : LIFETIME_S;
  const csrfSecret = createCsrfSecret();
  const { address, userAgent, browserId = null } = browser;
  const [row] = await db
    .insert(signIns)
    .values({
      userId: viewer.id,
      csrfSecret,
      remembered,
      byPasskey,
      idToken: idToken ?? null,
      address: address === "" ? null : address,
      userAgent: userAgent?.slice(0, USER_AGENT_LENGTH_MAX) ?? null,
      expiresAt: sql`clock_timestamp() + make_interval(secs => ${lifetimeSeconds})`,
    })
    .returning({ id: signIns.id });
  if (row === undefined) throw new Error("the insert of a sign-in returned no row");
  return {
    id: row.id,
    viewer,
    byPasskey,
    csrfSecret,
    maxAgeSeconds: remembered ? lifetimeSeconds : undefined,
    browserId: viewer.guest ? null : await rememberBrowser(db, { userId: viewer.id, browserId }),
  };
}

/**
 * Signs the browser in with the answer to this request: sets the cookies, and makes anti-forgery tokens from the new sign-in.
 * @returns the viewer as this sign-in may act.
 */
export async function attachSignIn(env: Env, context: RequestContext, signIn: SignIn): Promise<Viewer> {
  const viewer = withholdRoles(env, signIn.viewer, signIn);
  const { id: signInId, csrfSecret, maxAgeSeconds, browserId } = signIn;
  await startSignInCookie(env, context, { signInId, maxAgeSeconds });
  if (browserId !== null) startBrowserCookie(env, context, browserId);
  replaceAuthentication(context, { viewer, signInId, csrfSecret });
  return viewer;
}

/** Signs the browser out with the answer to this request: removes the cookie and starts a new anti-forgery secret. */
export function detachSignIn(env: Env, context: RequestContext): void {
  endSignInCookie(env, context);
  context.clearsCache = true;
  replaceAuthentication(context, {
    viewer: null,
    signInId: null,
    csrfSecret: startVisitorCookie(env, context),
  });
}
