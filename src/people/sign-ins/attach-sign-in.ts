import type { RequestContext } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { replaceAuthentication } from "./authenticate.ts";
import { endSignInCookie, startSignInCookie } from "./sign-in-cookie.ts";
import { startBrowserCookie, startVisitorCookie } from "./signed-cookies.ts";
import type { SignIn } from "./start-sign-in.ts";
import { type Viewer, withholdRoles } from "./viewer.ts";

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
