import { requestContextOf } from "#src/http/request-context.ts";
import type { Env } from "#src/settings/env.ts";
import { replaceAuthentication } from "./authenticate.ts";
import { endSignInCookie, startSignInCookie } from "./sign-in-cookie.ts";
import type { SignIn } from "./start-sign-in.ts";
import { startVisitorCookie } from "./visitor-cookie.ts";

/** The answer to this request gives the browser its sign-in, and anti-forgery tokens made from it. */
export async function attachSignIn(env: Env, request: Request, signIn: SignIn): Promise<void> {
  const { id: signInId, viewer, csrfSecret, maxAgeSeconds } = signIn;
  await startSignInCookie(env, requestContextOf(request), { signInId, maxAgeSeconds });
  replaceAuthentication(request, { viewer, signInId, csrfSecret });
}

/** The answer to this request takes the sign-in from the browser; the anti-forgery secret is a new one as well. */
export function detachSignIn(env: Env, request: Request): void {
  const exchange = requestContextOf(request);
  endSignInCookie(env, exchange);
  replaceAuthentication(request, {
    viewer: null,
    signInId: null,
    csrfSecret: startVisitorCookie(env, exchange),
  });
}
