import type { Deps } from "#src/base/deps.ts";
import { maskCsrfSecret } from "#src/http/csrf.ts";
import { type RequestContext, requestContextOf, shareRequestContext } from "#src/http/request-context.ts";
import { findSignIn, type Shut } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";
import type { Viewer } from "./viewer.ts";
import { readVisitorCookie, startVisitorCookie } from "./visitor-cookie.ts";

/** Who makes a request, and how it may prove itself. */
export type Authentication = {
  viewer: Viewer | null;
  signInId: string | null;
  /** Why the sign-in that the cookie names opens nothing any more; null where it does, or where there is none. */
  shut: Shut | null;
  /** What anti-forgery tokens are made from: the sign-in's own, or that of the signed-out browser. */
  csrfSecret: string;
  /** A new anti-forgery token for this answer. */
  csrfToken: () => string;
  address: string;
  requestId: string;
};

const authentications = new WeakMap<RequestContext, Promise<Authentication>>();

/**
 * The visit that a request belongs to. One query, and none at all for a request without our sign-in cookie; asking again
 * costs nothing. Rejects while the database is away.
 */
export function authenticate(deps: Deps, request: Request): Promise<Authentication> {
  const exchange = requestContextOf(request);
  const known = authentications.get(exchange);
  if (known !== undefined) return known;
  const visit = findAuthentication(deps, request, exchange);
  authentications.set(exchange, visit);
  return visit;
}

/** Lets a request that the server makes to itself share the visit of the one it answers, its cookies included. */
export function shareAuthentication(from: Request, to: Request): void {
  shareRequestContext({ from, to });
}

/** From here on this exchange belongs to somebody else: after a sign-in and after a sign-out. */
export function replaceAuthentication(
  request: Request,
  who: Pick<Authentication, "viewer" | "signInId" | "csrfSecret">,
): void {
  const exchange = requestContextOf(request);
  authentications.set(exchange, Promise.resolve(authenticationFor(exchange, { ...who, shut: null })));
}

async function findAuthentication(
  deps: Deps,
  request: Request,
  exchange: RequestContext,
): Promise<Authentication> {
  const signInId = await readSignInCookie(deps.env, request);
  const found = signInId === null ? null : await findSignIn(deps, signInId);
  if (found !== null && found.shut === null) {
    return authenticationFor(exchange, {
      viewer: found.viewer,
      signInId,
      csrfSecret: found.csrfSecret,
      shut: null,
    });
  }
  const csrfSecret = readVisitorCookie(deps.env, request) ?? startVisitorCookie(deps.env, exchange);
  return authenticationFor(exchange, { viewer: null, signInId: null, csrfSecret, shut: found?.shut ?? null });
}

function authenticationFor(
  { address, requestId }: RequestContext,
  who: Pick<Authentication, "viewer" | "signInId" | "csrfSecret" | "shut">,
): Authentication {
  return { ...who, address, requestId, csrfToken: () => maskCsrfSecret(who.csrfSecret) };
}
