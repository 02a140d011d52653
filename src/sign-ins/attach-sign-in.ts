import { requestContextOf } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { replaceAuthentication } from "./authenticate.ts";
import { endSignInCookie, startSignInCookie } from "./sign-in-cookie.ts";
import type { SignIn } from "./start-sign-in.ts";
import { startVisitorCookie } from "./visitor-cookie.ts";

/** Signs the browser in with the answer to this request: sets the cookie, and makes anti-forgery tokens from the new sign-in. */
export async function attachSignIn(env: Env, request: Request, signIn: SignIn): Promise<void> {
  const { id: signInId, viewer, csrfSecret, maxAgeSeconds } = signIn;
  await startSignInCookie(env, requestContextOf(request), { signInId, maxAgeSeconds });
  replaceAuthentication(request, { viewer, signInId, csrfSecret });
}

/** Signs the browser out with the answer to this request: removes the cookie and starts a new anti-forgery secret. */
export function detachSignIn(env: Env, request: Request): void {
  const context = requestContextOf(request);
  endSignInCookie(env, context);
  context.clearsCache = true;
  replaceAuthentication(request, {
    viewer: null,
    signInId: null,
    csrfSecret: startVisitorCookie(env, context),
  });
}
