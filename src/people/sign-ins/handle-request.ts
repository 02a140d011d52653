import * as v from "valibot";
import { isDatabaseAway, lacksRight } from "#db/pool/database-errors.ts";
import type { Deps } from "#src/base/deps.ts";
import { DATABASE_AWAY_CURE, explainError } from "#src/base/describe-error.ts";
import { findLastChange } from "#src/base/outbox/outbox-rows.ts";
import { malformed, notFound, type Refusal, unavailable } from "#src/base/refusal.ts";
import { answerError } from "#src/http/answer-error.ts";
import { CHANGED_AT_HEADER, CSRF_HEADER, DELAY_COOKIE, delayIn } from "#src/http/contract.ts";
import { readCookie } from "#src/http/cookies.ts";
import { STALE_VERSION } from "#src/http/if-match.ts";
import { limitRate, setRateLimits } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { beginToRead, refuseLength } from "#src/http/read-body.ts";
import { noteWrite } from "#src/http/read-late.ts";
import {
  isReadablePath,
  isSafeMethod,
  repeatsParameter,
  logRequest,
  type RequestContext,
} from "#src/http/request-context.ts";
import { errorBody } from "#src/http/schemas.ts";
import { setSecurityHeaders } from "#src/http/security-headers.ts";
import { requireScope } from "./access-tokens.ts";
import { readCurrentState } from "./ask-endpoint.ts";
import { authenticate, type Authentication, isKnownStaff } from "./authenticate.ts";
import { confirmSignIn, signInOptimistically } from "./optimistic-sign-in.ts";
import { type Proof, refuseForgery } from "./refuse-forgery.ts";

const CONFLICT = 409;
const CABLE_PATH = /^\/cable\/?$/;

/** The status of an upgrade to a websocket. */
const SWITCHED = 101;

/** What answers a request. It is found once, by the path, before the request is authenticated. */
export type Route = {
  /** Returns nothing if the request became a websocket. */
  answer: () => Promise<Response | undefined>;
  /** The pattern of the path, where it is known already. */
  pattern?: string;
  /** The same for every caller, such as a file: nobody is authenticated, and nothing is logged. */
  skipsSignIn?: boolean;
  judgesSignIn?: boolean;
  /** What proves that a change comes from one of our own pages; by default a token in the header. */
  proof?: Proof;
  /** How large the body may be, where the answer reads it as it is. */
  bytesMax?: number;
};

/**
 * The middleware around all that answers: authenticates a request, refuses forged and oversized ones, and adds headers and cookies to
 * the answer.
 * @param findRoute what answers the request; it begins to read what is read together with the sign-in.
 */
export async function handleRequest(
  deps: Deps,
  context: RequestContext,
  findRoute: (context: RequestContext) => Route,
): Promise<Response | undefined> {
  const unreadable = refusalOfAddress(context);
  if (unreadable !== null) {
    const response = answerError(unreadable, context, deps.log);
    setSecurityHeaders(response.headers, deps.env, context);
    return response;
  }
  const route = findRoute(context);
  context.route = route.pattern ?? null;
  if (route.skipsSignIn === true) {
    const response = await route.answer().catch((error: unknown) => answerError(error, context, deps.log));
    if (response !== undefined) setSecurityHeaders(response.headers, deps.env, context);
    return response;
  }
  const response = await checkAndAnswer(deps, context, route);
  if (response === undefined) await logUpgrade(deps, context);
  else await finishResponse(deps, context, response);
  return response;
}

/** Why nobody is asked for this address; null where it can be read. */
function refusalOfAddress({ request, path }: RequestContext): Refusal | null {
  if (!isReadablePath(path)) return notFound();
  // A handshake is refused by a frame, so that its client does not come back.
  if (CABLE_PATH.test(path)) return null;
  return repeatsParameter(request) ? malformed("The address has the same parameter twice.") : null;
}

/**
 * A request with a assumed sign-in is answered from the start again if it was refused and the assumption was wrong. What was
 * done needs no look: the statement that did it has judged the sign-in.
 */
async function checkAndAnswer(
  deps: Deps,
  context: RequestContext,
  route: Route,
): Promise<Response | undefined> {
  if (route.judgesSignIn === true) beginToRead(context);
  const isAssumed = route.judgesSignIn === true && (await signInOptimistically(deps, context));
  const response = await answerOnce(deps, context, route);
  if (!isAssumed || response?.ok === true || (await confirmSignIn(deps, context))) return response;
  context.rateLimits.length = 0;
  return answerOnce(deps, context, route);
}

async function answerOnce(
  deps: Deps,
  context: RequestContext,
  { answer, proof, bytesMax }: Route,
): Promise<Response | undefined> {
  const { request } = context;
  try {
    const authentication = await authenticate(deps, context);
    if (!isSafeMethod(request)) refuseForgery(deps.env, request, { authentication, proof });
    await admitToken(deps, context, authentication);
    if (bytesMax !== undefined) refuseLength(request.headers, bytesMax);
    return await answer();
  } catch (error) {
    const response = answerError(await explainToStaff(deps, request, error), context, deps.log);
    return addCurrentState(deps, context, response).catch((failed: unknown) =>
      answerError(failed, context, deps.log),
    );
  }
}

/** Players read that it passes; operators and admins, on every page and from the API, why and what to do. */
async function explainToStaff(deps: Deps, request: Request, error: unknown): Promise<unknown> {
  if (!(isDatabaseAway(error) || lacksRight(error)) || !(await isKnownStaff(deps, request))) return error;
  const [said, cure = DATABASE_AWAY_CURE] = explainError(error).split("\n");
  const refusal = unavailable(`For operators: ${said}. ${cure}`);
  refusal.cause = error;
  return refusal;
}

/** The handler may have signed the caller in or out, so the answer belongs to the authentication as it is now. */
async function finishResponse(deps: Deps, context: RequestContext, response: Response): Promise<void> {
  const { request } = context;
  const authentication = await authenticate(deps, context).catch(() => null);
  setSecurityHeaders(response.headers, deps.env, context);
  const tokenId = authentication?.token?.id ?? null;
  if (authentication !== null && tokenId === null)
    response.headers.set(CSRF_HEADER, authentication.csrfToken());
  if (!context.isPage) setRateLimits(response.headers, context.rateLimits);
  if (delayIn(readCookie(request, DELAY_COOKIE)) > 0) await sayLastChange(deps, response);
  noteWrite(deps, request, context);
  for (const cookie of context.cookies) response.headers.append("set-cookie", cookie);
  const userId = authentication?.viewer?.id ?? null;
  logRequest(deps.log, context, { status: response.status, userId, tokenId });
}

/** The request became a websocket: its answer is sent already. */
async function logUpgrade(deps: Deps, context: RequestContext): Promise<void> {
  const { viewer, token } = await authenticate(deps, context);
  const answered = { status: SWITCHED, userId: viewer?.id ?? null, tokenId: token?.id ?? null };
  logRequest(deps.log, context, answered);
}

/** For a device with a stream delay: it shows the answer when it shows that change. Without the header it waits longer. */
async function sayLastChange({ pool }: Deps, response: Response): Promise<void> {
  const changedAtMs = await findLastChange(pool.db).catch(() => null);
  if (changedAtMs !== null) response.headers.set(CHANGED_AT_HEADER, String(changedAtMs));
}

/**
 * Adds the record's current state, as the caller may read it, to the answer of a change that was refused because of a stale
 * version: `current: { session: ... }`. Any other answer is returned unchanged.
 */
async function addCurrentState(deps: Deps, context: RequestContext, response: Response): Promise<Response> {
  const { path } = context;
  if (response.status !== CONFLICT || !path.startsWith("/api/")) return response;
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (!v.is(errorBody, body) || body.code !== STALE_VERSION) return Response.json(body, { status, headers });
  const current = await readCurrentState(deps, context, path);
  return Response.json({ ...body, current }, { status, headers });
}

/**
 * Admits a program with an access token to the API and to the cable, and to nothing else: no pages or dashboards. All other requests
 * pass. Which endpoints it may call is checked with their records (read-request.ts), and what it may follow with the channels.
 * Refuses too many requests of one token (429), and what is outside the API (403).
 */
async function admitToken(
  deps: Deps,
  context: RequestContext,
  authentication: Authentication,
): Promise<void> {
  const { path } = context;
  const { token } = authentication;
  if (token === null) return;
  context.rateLimits.push(...(await limitRate(deps, rates.accessToken, authentication)));
  if (!path.startsWith("/api/") && !CABLE_PATH.test(path)) requireScope(token, null);
}
