import { BoundedMap } from "#src/base/bounded-map.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { maskCsrfSecret } from "#src/http/csrf.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import {
  type AccessToken,
  findAccessToken,
  hashAccessToken,
  isAccessTokenSecret,
  readAccessToken,
  type TokenProblem,
} from "./access-tokens.ts";
import { findSignIn, type FoundSignIn, type InvalidReason } from "./find-sign-in.ts";
import { readSignInCookie } from "./sign-in-cookie.ts";
import { readVisitorCookie, startVisitorCookie } from "./signed-cookies.ts";
import { isStaff, type Viewer } from "./viewer.ts";

const details: Record<TokenProblem, string> = {
  unknown: "No such token exists. Send it as it was shown: Authorization: Bearer ci_...",
  revoked: "It was revoked. Make another one on your profile, under Tokens.",
  expired: "It has expired. Make another one on your profile, under Tokens.",
  owner: "Its owner is not an admin any more, or cannot sign in at the moment.",
  dock: "It was revoked, or its maker does not run this show any more. Make another one in the control room, under Invite.",
  over: "The show is over. What is left to decide is in the control room, where a stop can be undone for a minute.",
};

/** Who makes a request: the viewer and their sign-in, and the secret that protects their forms. */
export type Authentication = {
  viewer: Viewer | null;
  signInId: string | null;
  /** Why the sign-in in the cookie is no longer valid; null if it is valid or if there is none. */
  invalidReason: InvalidReason | null;
  /** The access token of a program; null for everybody else. */
  token: AccessToken | null;
  /** How the requests of a program are counted: by its token, not by its owner. */
  account?: string;
  /** The secret of anti-forgery tokens: that of the sign-in, or that of the signed-out browser. */
  csrfSecret: string;
  /** The anti-forgery token of this answer. Every answer has another one. */
  csrfToken: () => string;
  address: string;
  requestId: string;
};

type Identity = Pick<Authentication, "viewer" | "signInId" | "csrfSecret">;

declare module "#src/http/request-context.ts" {
  interface RequestContext {
    /** Who makes the request, once it is being found out. */
    authentication?: Promise<Authentication>;
    /** Finds the sign-in of the request's cookie together with what else it reads. */
    findSignIn?: () => Promise<FoundSignIn | null>;
  }
}

/**
 * Authenticates a request by its cookie, or a program by its access token, with one query and only if there is either. A request
 * with a token has no use for its cookies. The result is cached for the request. Rejects while the database is away, and with a
 * refusal for a token that is not valid.
 */
export function authenticate(deps: Deps, context: RequestContext): Promise<Authentication> {
  context.authentication ??= findAuthentication(deps, context);
  return context.authentication;
}

/** Authenticates a request once more: what was found or assumed before is forgotten. */
export function authenticateAgain(deps: Deps, context: RequestContext): Promise<Authentication> {
  delete context.authentication;
  return authenticate(deps, context);
}

/** Replaces the authentication of the current request, after a sign-in or a sign-out, or assumes one. */
export function replaceAuthentication(context: RequestContext, identity: Identity): void {
  context.authentication = Promise.resolve(authenticationFor(context, identity));
}

async function findAuthentication(deps: Deps, context: RequestContext): Promise<Authentication> {
  const { request } = context;
  const secret = readAccessToken(request);
  if (secret !== null) {
    const { viewer, token } = await authenticateToken(deps, secret, context.address);
    return authenticationFor(context, { viewer, signInId: null, csrfSecret: "", token });
  }
  const signInId = await readSignInCookie(deps.env, request);
  const find = context.findSignIn ?? (() => (signInId === null ? null : findSignIn(deps, signInId)));
  const signIn = signInId === null ? null : await find();
  const viewer = signIn?.invalidReason === null ? signIn.viewer : null;
  if (signInId !== null) noteSignIn(signInId, viewer);
  if (signIn !== null && signIn.invalidReason === null)
    return authenticationFor(context, { ...signIn, signInId });
  const csrfSecret = readVisitorCookie(deps.env, request) ?? startVisitorCookie(deps.env, context);
  const invalidReason = signIn?.invalidReason ?? null;
  return authenticationFor(context, { viewer: null, signInId: null, csrfSecret, invalidReason });
}

function authenticationFor(
  { address, requestId }: RequestContext,
  {
    token = null,
    invalidReason = null,
    ...identity
  }: Identity & Partial<Pick<Authentication, "token" | "invalidReason">>,
): Authentication {
  let csrf: string | null = null;
  const csrfToken = () => (csrf ??= maskCsrfSecret(identity.csrfSecret));
  const counted = token === null ? {} : { account: `token-${token.id}` };
  return { ...identity, token, invalidReason, address, requestId, csrfToken, ...counted };
}

/**
 * Authenticates a program by its access token.
 * @param secret what the request has after `Bearer`.
 * @param address the client's, whose refused tokens are counted.
 * @throws Refusal 401 for a token that is unknown, expired or revoked, or whose owner is no admin now; 429 after too many of them.
 */
async function authenticateToken(
  deps: Deps,
  secret: string,
  address: string,
): Promise<{ viewer: Viewer; token: AccessToken }> {
  const found = isAccessTokenSecret(secret) ? await findAccessToken(deps, hashAccessToken(secret)) : null;
  if (found !== null && found.problem === null) return found;
  await limitRate(deps, rates.refusedToken, { address, viewer: null });
  throw tokenRefused(details[found?.problem ?? "unknown"]);
}

function tokenRefused(detail: string): Refusal {
  return new Refusal(401, "invalid_token", "This access token is not valid.", {
    detail,
    challenge: `Bearer realm="Called It", error="invalid_token"`,
  });
}

// Decision: while the database is away nobody can be authenticated, and those who can help must read why. So a process remembers which
// sign-ins were of operators and admins. That lets them read what is wrong with the database and nothing else, even if the sign-in has
// ended since in another process.

const KEPT_MS = 12 * 3_600_000;
const KNOWN_MAX = 500;

/** By the id of the sign-in: until when, from performance.now(). */
const known = new BoundedMap<string, number>(KNOWN_MAX);

/** Notes what the database has said of a sign-in. @param viewer null: it has ended. */
function noteSignIn(signInId: string, viewer: Viewer | null): void {
  if (isStaff(viewer)) known.set(signInId, performance.now() + KEPT_MS);
  else known.delete(signInId);
}

/** True if the sign-in of a request was one of an operator or an admin when the database was asked last. */
export async function isKnownStaff({ env }: Pick<Deps, "env">, request: Request): Promise<boolean> {
  const signInId = await readSignInCookie(env, request);
  return signInId !== null && (known.get(signInId) ?? 0) > performance.now();
}
