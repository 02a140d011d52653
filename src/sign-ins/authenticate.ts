import type { Deps } from "#src/base/deps.ts";
import { maskCsrfSecret } from "#src/http/csrf.ts";
import { type RequestContext, requestContextOf } from "#src/http/request-context.ts";
import { findSignIn, type FoundSignIn, type InvalidReason } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";
import type { Viewer } from "./viewer.ts";
import { readVisitorCookie, startVisitorCookie } from "./visitor-cookie.ts";

/** Who makes a request: the viewer and their sign-in, and the secret that protects their forms. */
export type Authentication = {
  viewer: Viewer | null;
  signInId: string | null;
  /** Why the sign-in in the cookie is no longer valid; null if it is valid or if there is none. */
  invalidReason: InvalidReason | null;
  /** The secret of anti-forgery tokens: that of the sign-in, or that of the signed-out browser. */
  csrfSecret: string;
  /** The anti-forgery token of this answer. Every answer has another one. */
  csrfToken: () => string;
  address: string;
  requestId: string;
};

const authentications = new WeakMap<RequestContext, Promise<Authentication>>();

/**
 * Authenticates a request by its cookie, with one query and only if there is a cookie. The result is cached for the request.
 * Rejects while the database is away.
 */
export function authenticate(deps: Deps, request: Request): Promise<Authentication> {
  const context = requestContextOf(request);
  const known = authentications.get(context);
  if (known !== undefined) return known;
  const authentication = findAuthentication(deps, request, context);
  authentications.set(context, authentication);
  return authentication;
}

type SignInFinder = () => Promise<FoundSignIn | null>;
const finders = new WeakMap<Request, SignInFinder>();

/** Lets a request that has not been authenticated yet find its sign-in together with what else it reads. */
export function findSignInWith(request: Request, find: SignInFinder): void {
  finders.set(request, find);
}

/** Replaces the authentication of the current request, after a sign-in or a sign-out. */
export function replaceAuthentication(
  request: Request,
  identity: Pick<Authentication, "viewer" | "signInId" | "csrfSecret">,
): void {
  const context = requestContextOf(request);
  authentications.set(
    context,
    Promise.resolve(authenticationFor(context, { ...identity, invalidReason: null })),
  );
}

async function findAuthentication(
  deps: Deps,
  request: Request,
  context: RequestContext,
): Promise<Authentication> {
  const signInId = await readSignInCookie(deps.env, request);
  const find = finders.get(request) ?? (() => (signInId === null ? null : findSignIn(deps, signInId)));
  const signIn = signInId === null ? null : await find();
  if (signIn !== null && signIn.invalidReason === null)
    return authenticationFor(context, { ...signIn, signInId });
  const csrfSecret = readVisitorCookie(deps.env, request) ?? startVisitorCookie(deps.env, context);
  const invalidReason = signIn?.invalidReason ?? null;
  return authenticationFor(context, { viewer: null, signInId: null, csrfSecret, invalidReason });
}

function authenticationFor(
  { address, requestId }: RequestContext,
  identity: Pick<Authentication, "viewer" | "signInId" | "csrfSecret" | "invalidReason">,
): Authentication {
  let token: string | null = null;
  const csrfToken = () => (token ??= maskCsrfSecret(identity.csrfSecret));
  return { ...identity, address, requestId, csrfToken };
}
