import type { Deps } from "#src/base/deps.ts";
import { maskCsrfSecret } from "#src/http/csrf.ts";
import { type Exchange, exchangeOf, joinExchange } from "#src/http/request-context.ts";
import { findSignIn, type Shut } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";
import type { Viewer } from "./viewer.ts";
import { readVisitorCookie, startVisitorCookie } from "./visitor-cookie.ts";

/** Who makes a request, and how it may prove itself. */
export type Visit = {
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

const visits = new WeakMap<Exchange, Promise<Visit>>();

/**
 * The visit that a request belongs to. One query, and none at all for a request without our sign-in cookie; asking again
 * costs nothing. Rejects while the database is away.
 */
export function visitOf(deps: Deps, request: Request): Promise<Visit> {
  const exchange = exchangeOf(request);
  const known = visits.get(exchange);
  if (known !== undefined) return known;
  const visit = findVisit(deps, request, exchange);
  visits.set(exchange, visit);
  return visit;
}

/** Lets a request that the server makes to itself share the visit of the one it answers, its cookies included. */
export function shareVisit(from: Request, to: Request): void {
  joinExchange({ from, to });
}

/** From here on this exchange belongs to somebody else: after a sign-in and after a sign-out. */
export function changeVisit(request: Request, who: Pick<Visit, "viewer" | "signInId" | "csrfSecret">): void {
  const exchange = exchangeOf(request);
  visits.set(exchange, Promise.resolve(visitFor(exchange, { ...who, shut: null })));
}

async function findVisit(deps: Deps, request: Request, exchange: Exchange): Promise<Visit> {
  const signInId = await readSignInCookie(deps.env, request);
  const found = signInId === null ? null : await findSignIn(deps, signInId);
  if (found !== null && found.shut === null) {
    return visitFor(exchange, {
      viewer: found.viewer,
      signInId,
      csrfSecret: found.csrfSecret,
      shut: null,
    });
  }
  const csrfSecret = readVisitorCookie(deps.env, request) ?? startVisitorCookie(deps.env, exchange);
  return visitFor(exchange, { viewer: null, signInId: null, csrfSecret, shut: found?.shut ?? null });
}

function visitFor(
  { address, requestId }: Exchange,
  who: Pick<Visit, "viewer" | "signInId" | "csrfSecret" | "shut">,
): Visit {
  return { ...who, address, requestId, csrfToken: () => maskCsrfSecret(who.csrfSecret) };
}
