import type { Deps } from "#src/base/deps.ts";
import { answerError } from "#src/http/answer-error.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { isPublicPath, pathOf } from "#src/http/page-request.ts";
import { refuseTooLarge } from "#src/http/parse-json.ts";
import { createRequestContext, type RequestContext } from "#src/http/request-context.ts";
import { logRequest } from "#src/http/request-log.ts";
import { setSecurityHeaders } from "#src/http/security-headers.ts";
import { addCurrentState } from "./add-current-state.ts";
import { authenticate } from "./authenticate.ts";
import { refuseForgery } from "./refuse-forgery.ts";

/** Routes a request: returns a Response or a promise of one, or nothing if the request became a websocket. */
type ServerHandler = (request: Request) => unknown;

/**
 * The middleware around all routes: authenticates a request, refuses forged and oversized ones, calls the routes, and adds
 * headers and cookies to the answer.
 * @param address the client's address; see clientAddress.
 */
export async function handleRequest(
  deps: Deps,
  request: Request,
  { address, handler }: { address: string; handler: ServerHandler },
): Promise<Response | undefined> {
  const context = createRequestContext(request, address);
  if (isPublicPath(pathOf(request))) {
    const response = await callHandler(handler, request);
    if (response !== undefined) setSecurityHeaders(response.headers, deps.env, context);
    return response;
  }
  const response = await checkAndAnswer(deps, request, handler);
  if (response !== undefined) await finishResponse(deps, request, { context, response });
  return response;
}

async function checkAndAnswer(
  deps: Deps,
  request: Request,
  handler: ServerHandler,
): Promise<Response | undefined> {
  try {
    refuseForgery(deps.env, request, await authenticate(deps, request));
    refuseTooLarge(request);
    const response = await callHandler(handler, request);
    return response && (await addCurrentState(deps, request, response));
  } catch (error) {
    return answerError(error, { request, log: deps.log });
  }
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
  if (authentication !== null) response.headers.set(CSRF_HEADER, authentication.csrfToken());
  for (const cookie of context.cookies) response.headers.append("set-cookie", cookie);
  const userId = authentication?.viewer?.id ?? null;
  logRequest(deps.log, request, { context, status: response.status, userId });
}
