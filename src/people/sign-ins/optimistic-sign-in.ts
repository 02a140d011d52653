import type { Deps } from "#src/base/deps.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import { readAccessToken } from "./access-tokens.ts";
import { authenticate, authenticateAgain, replaceAuthentication } from "./authenticate.ts";
import { knownSignIn } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";

// Decision: a call is placed in one trip to the database. Looking up who asks before would be a second trip, so a viewer whom this
// process has seen before is assumed, and the statement that places the call judges the sign-in. All checks run in the usual
// order with the assumed viewer. Where a request is refused, for whatever reason, the sign-in is looked up after all, and the
// request is answered from the start again if it was not valid. So every refusal is the one that it would be without this.

/**
 * Assumes the viewer of a request, by the cookie, where the endpoint judges the sign-in itself.
 * @returns false if nothing is assumed: the request is authenticated as usual.
 */
export async function signInOptimistically(deps: Deps, context: RequestContext): Promise<boolean> {
  const { request } = context;
  if (readAccessToken(request) !== null) return false;
  const signInId = await readSignInCookie(deps.env, request);
  const known = signInId === null ? null : knownSignIn(deps, signInId);
  if (known === null) return false;
  replaceAuthentication(context, { ...known, signInId });
  return true;
}

/** Looks up the sign-in that was assumed. @returns false if it is not valid (any more), or if the database is away. */
export async function confirmSignIn(deps: Deps, context: RequestContext): Promise<boolean> {
  const assumed = await authenticate(deps, context);
  const found = await authenticateAgain(deps, context).catch(() => null);
  return found?.signInId === assumed.signInId;
}
