import * as v from "valibot";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import type { Deps } from "#src/base/deps.ts";
import { explainError } from "#src/base/describe-error.ts";
import { findLastChange } from "#src/base/outbox/outbox-rows.ts";
import { malformed, notFound, type Refusal, unavailable } from "#src/base/refusal.ts";
import { answerError } from "#src/http/answer-error.ts";
import { CHANGED_AT_HEADER, CSRF_HEADER, DELAY_COOKIE, delayIn } from "#src/http/contract.ts";
import { readCookie } from "#src/http/cookies.ts";
import { STALE_VERSION } from "#src/http/if-match.ts";
import { isPublicPath, isReadablePath, pathOf, repeatsParameter } from "#src/http/page-request.ts";
import { refuseTooLarge } from "#src/http/parse-json.ts";
import { noteWrite } from "#src/http/read-late.ts";
import { type RequestContext, requestContextOf } from "#src/http/request-context.ts";
import { logRequest } from "#src/http/request-log.ts";
import { errorBody } from "#src/http/schemas.ts";
import { setSecurityHeaders } from "#src/http/security-headers.ts";
import { admitToken } from "./admit-token.ts";
import { readCurrentState } from "./ask-endpoint.ts";
import { authenticate } from "./authenticate.ts";
import { findPattern } from "./endpoint-table.ts";
import { isKnownStaff } from "./known-staff.ts";
import { confirmSignIn, presumeSignIn } from "./presume-sign-in.ts";
import { refuseForgery } from "./refuse-forgery.ts";

const CONFLICT = 409;

/** The status of an upgrade to a websocket. */
const SWITCHED = 101;

/** Routes a request: returns a Response or a promise of one, or nothing if the request became a websocket. */
type ServerHandler = (request: Request) => unknown;

/**
 * The middleware around all routes: authenticates a request, refuses forged and oversized ones, calls the routes, and adds
 * headers and cookies to the answer. The request has its context already; see receiveRequest.
 */
export async function handleRequest(
  deps: Deps,
  request: Request,
  handler: ServerHandler,
): Promise<Response | undefined> {
  const context = requestContextOf(request);
  const unreadable = refusalOfAddress(request);
  if (unreadable !== null) {
    const response = answerError(unreadable, { request, log: deps.log });
    setSecurityHeaders(response.headers, deps.env, context);
    return response;
  }
  if (isPublicPath(pathOf(request))) {
    const response = await callHandler(handler, request);
    if (response !== undefined) setSecurityHeaders(response.headers, deps.env, context);
    return response;
  }
  const response = await checkAndAnswer(deps, request, handler);
  if (response === undefined) await logUpgrade(deps, request, context);
  else await finishResponse(deps, request, { context, response });
  return response;
}

/** Why nobody is asked for this address; null where it can be read. */
function refusalOfAddress(request: Request): Refusal | null {
  const path = pathOf(request);
  if (!isReadablePath(path)) return notFound();
  // A handshake is refused by a frame, so that its client does not come back.
  if (path === "/cable") return null;
  return repeatsParameter(request) ? malformed("The address has the same parameter twice.") : null;
}

/**
 * A request with a presumed sign-in is answered from the start again if it was refused and the presumption was wrong. What was
 * done needs no look: the statement that did it has judged the sign-in.
 */
async function checkAndAnswer(
  deps: Deps,
  request: Request,
  handler: ServerHandler,
): Promise<Response | undefined> {
  const isPresumed = await presumeSignIn(deps, request);
  const response = await answerOnce(deps, request, handler);
  if (!isPresumed || response?.ok === true || (await confirmSignIn(deps, request))) return response;
  return answerOnce(deps, request, handler);
}

async function answerOnce(
  deps: Deps,
  request: Request,
  handler: ServerHandler,
): Promise<Response | undefined> {
  try {
    const authentication = await authenticate(deps, request);
    refuseForgery(deps.env, request, authentication);
    await admitToken(deps, request, authentication);
    refuseTooLarge(request);
    const response = await callHandler(handler, request);
    return response && (await addCurrentState(deps, request, response));
  } catch (error) {
    requestContextOf(request).route ??= findPattern(deps, request.method, pathOf(request));
    return answerError(await explainToStaff(deps, request, error), { request, log: deps.log });
  }
}

/** Players read that it passes; operators and admins, on every page and from the API, why and what to do. */
async function explainToStaff(deps: Deps, request: Request, error: unknown): Promise<unknown> {
  if (!isDatabaseAway(error) || !(await isKnownStaff(deps, request))) return error;
  const refusal = unavailable(`For operators: ${explainError(error).replace("\n", ". ")}`);
  refusal.cause = error;
  return refusal;
}

async function callHandler(handler: ServerHandler, request: Request): Promise<Response | undefined> {
  const response = await handler(request);
  return response instanceof Response ? response : undefined;
}

/** The handler may have signed the caller in or out, so the answer belongs to the authentication as it is now. */
async function finishResponse(
  deps: Deps,
  request: Request,
  { context, response }: { context: RequestContext; response: Response },
): Promise<void> {
  const authentication = await authenticate(deps, request).catch(() => null);
  setSecurityHeaders(response.headers, deps.env, context);
  const tokenId = authentication?.token?.id ?? null;
  if (authentication !== null && tokenId === null)
    response.headers.set(CSRF_HEADER, authentication.csrfToken());
  if (delayIn(readCookie(request, DELAY_COOKIE)) > 0) await sayLastChange(deps, response);
  noteWrite(deps, request, context);
  for (const cookie of context.cookies) response.headers.append("set-cookie", cookie);
  const userId = authentication?.viewer?.id ?? null;
  logRequest(deps.log, request, { context, status: response.status, userId, tokenId });
}

/** The request became a websocket: its answer is sent already. */
async function logUpgrade(deps: Deps, request: Request, context: RequestContext): Promise<void> {
  const userId = (await authenticate(deps, request)).viewer?.id ?? null;
  logRequest(deps.log, request, { context, status: SWITCHED, userId, tokenId: null });
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
async function addCurrentState(deps: Deps, request: Request, response: Response): Promise<Response> {
  if (response.status !== CONFLICT || !pathOf(request).startsWith("/api/")) return response;
  const { status, headers } = response;
  const body: unknown = await response.json();
  if (!v.is(errorBody, body) || body.code !== STALE_VERSION) return Response.json(body, { status, headers });
  const current = await readCurrentState(deps, request, pathOf(request));
  return Response.json({ ...body, current }, { status, headers });
}
