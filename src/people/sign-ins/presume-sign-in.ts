import type { Deps } from "#src/base/deps.ts";
import { isSafeMethod, pathOf } from "#src/http/page-request.ts";
import { readAccessToken } from "./access-token-secret.ts";
import { authenticate, authenticateAgain, replaceAuthentication } from "./authenticate.ts";
import { judgesSignIn } from "./endpoint-table.ts";
import { knownSignIn } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";

// Decision: a call is placed in one trip to the database. Looking up who asks before would be a second trip, so a viewer whom this
// process has seen before is presumed, and the statement that places the call judges the sign-in. All checks run in the usual
// order with the presumed viewer. Where a request is refused, for whatever reason, the sign-in is looked up after all, and the
// request is answered from the start again if it was not valid. So every refusal is the one that it would be without this.

/**
 * Presumes the viewer of a request to an endpoint that judges the sign-in itself, by the cookie.
 * @returns false if nothing is presumed: the request is authenticated as usual.
 */
export async function presumeSignIn(deps: Deps, request: Request): Promise<boolean> {
  if (isSafeMethod(request) || !judgesSignIn(deps, request.method, pathOf(request))) return false;
  if (readAccessToken(request) !== null) return false;
  const signInId = await readSignInCookie(deps.env, request);
  const known = signInId === null ? null : knownSignIn(deps, signInId);
  if (known === null) return false;
  replaceAuthentication(request, { ...known, signInId });
  return true;
}

/** Looks up the sign-in that was presumed. @returns false if it is not valid (any more), or if the database is away. */
export async function confirmSignIn(deps: Deps, request: Request): Promise<boolean> {
  const presumed = await authenticate(deps, request);
  const found = await authenticateAgain(deps, request).catch(() => null);
  return found?.signInId === presumed.signInId;
}
