import type { Deps } from "#src/base/deps.ts";
import { answerError } from "#src/http/answer-error.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { addNewerState } from "#src/http/newer-state.ts";
import { isPublicPath, pathOf } from "#src/http/page-request.ts";
import { refuseTooLarge } from "#src/http/parse-json.ts";
import { createRequestContext, type RequestContext, hasRequestContext } from "#src/http/request-context.ts";
import { logRequest } from "#src/http/request-log.ts";
import { setSecurityHeaders } from "#src/http/security-headers.ts";
import { authenticate } from "./authenticate.ts";
import { refuseForgery } from "./refuse-forgery.ts";

/** Who answers, once a request was let in: a Response or the promise of one, or nothing where it became a socket. */
export type Answer = (request: Request) => unknown;

/**
 * Sees a request through, from its arrival to its answer: who is it, is it forged, what do the rooms say, and what does
 * every answer carry. A request that the server makes to itself gets the rooms' own answer and no more.
 * @param address where it comes from; see clientAddress.
 */
export async function handleRequest(
  deps: Deps,
  request: Request,
  { address, answer }: { address: string; answer: Answer },
): Promise<Response | undefined> {
  if (hasRequestContext(request)) return letIn(deps, request, answer);
  const exchange = createRequestContext(request, address);
  if (isPublicPath(pathOf(request))) {
    const response = await ask(answer, request);
    if (response !== undefined) setSecurityHeaders(response.headers, deps.env, exchange);
    return response;
  }
  const response = await letIn(deps, request, answer);
  if (response !== undefined) await finish(deps, request, { exchange, response });
  return response;
}

async function letIn(deps: Deps, request: Request, answer: Answer): Promise<Response | undefined> {
  try {
    refuseForgery(deps.env, request, await authenticate(deps, request));
    refuseTooLarge(request);
    const response = await ask(answer, request);
    return response && (await addNewerState(request, response, (reading) => ask(answer, reading)));
  } catch (error) {
    return answerError(error, { request, log: deps.log });
  }
}

async function ask(answer: Answer, request: Request): Promise<Response | undefined> {
  const response = await answer(request);
  return response instanceof Response ? response : undefined;
}

/** The visit may have changed since the request was let in: what goes out belongs to who it is now. */
async function finish(
  deps: Deps,
  request: Request,
  { exchange, response }: { exchange: RequestContext; response: Response },
): Promise<void> {
  const visit = await authenticate(deps, request).catch(() => null);
  setSecurityHeaders(response.headers, deps.env, exchange);
  if (visit !== null) response.headers.set(CSRF_HEADER, visit.csrfToken());
  for (const cookie of exchange.cookies) response.headers.append("set-cookie", cookie);
  const userId = visit?.viewer?.id ?? null;
  logRequest(deps.log, request, { exchange, status: response.status, userId });
}
