import type { Logger } from "pino";
import { isDatabaseAway, isDatabaseChanged } from "#db/pool/database-errors.ts";
import type { Deps } from "#src/base/deps.ts";
import { malformed, notFound, Refusal, unavailable } from "#src/base/refusal.ts";
import { site } from "#src/settings/contract.ts";
import { setRateLimits } from "./rate-limit.ts";
import { isSafeMethod, type RequestContext } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";
import { setSecurityHeaders } from "./security-headers.ts";

/** Errors that pass: the answer always says when to try again. */
const temporaryStatuses = new Set([429, 503]);
const RETRY_AFTER_S = 2;

/**
 * Turns a thrown error into an answer. A refusal is sent as it is. Anything else is a bug: it is logged in full, and the
 * client gets only a plain 500. Every answer has the request id, so that users can report it.
 */
export function answerError(error: unknown, context: RequestContext, log: Logger): Response {
  return answerRefusal(context, refusalFor(error, { requestId: context.requestId, log }));
}

/** The refusal that answers a thrown error. A bug is logged in full, and answered by a plain 500. */
export function refusalFor(error: unknown, { requestId, log }: { requestId: string; log: Logger }): Refusal {
  const refusal = refusalIn(error);
  if (refusal === null) {
    log.error({ err: error, requestId }, "a request failed");
    return new Refusal(500, "internal", "Something went wrong on our side. Try again in a moment.");
  }
  if (refusal.status >= 500) log.warn({ err: error, requestId }, "a request could not be served");
  return refusal;
}

/** The refusal that an error maps to; null for a bug. */
function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  if (isDatabaseAway(error) || isDatabaseChanged(error)) return unavailable();
  // Elysia's, for a path that is none of its files and health checks.
  return "code" in error && error.code === "NOT_FOUND" ? notFound() : null;
}

function answerRefusal(context: RequestContext, refusal: Refusal): Response {
  const { status } = refusal;
  const headers = new Headers();
  const waitS = retryAfterOf(refusal);
  if (waitS !== null) headers.set("retry-after", String(waitS));
  const { challenge, rateLimits = [] } = refusal.details;
  setRateLimits(headers, rateLimits);
  if (challenge !== undefined) headers.set("www-authenticate", challenge);
  if (context.isPage) {
    headers.set("content-type", "text/html; charset=utf-8");
    // Nobody sits at a projector or a stream's source who would load the page again.
    if (waitS !== null && isSafeMethod(context.request)) headers.set("refresh", String(waitS));
    return new Response(errorPage(refusal, context), { status, headers });
  }
  return Response.json(bodyOf(refusal, context.requestId), { status, headers });
}

/** When to try again, in seconds; null if that helps nobody. */
export function retryAfterOf({ status, details }: Refusal): number | null {
  return details.retryAfterSeconds ?? (temporaryStatuses.has(status) ? RETRY_AFTER_S : null);
}

export function bodyOf({ code, message, details }: Refusal, requestId: string): ErrorBody {
  const { retryAfterSeconds: _wait, challenge: _challenge, rateLimits: _left, ...otherDetails } = details;
  return { error: message, code, ...otherDetails, requestId };
}

/**
 * The page that is sent when the app itself cannot answer. It needs no script, no style sheet and no database. It shows the
 * message, what else is to be read, and the request id.
 */
function errorPage({ message, details }: Refusal, { nonce, requestId }: RequestContext): string {
  const detail = details.detail === undefined ? "" : `<p>${Bun.escapeHTML(details.detail)}</p>`;
  const reference = `<p class="small">Reference: ${requestId}</p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${Bun.escapeHTML(site().name)}</title><style nonce="${nonce}">
:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;
place-content:center;text-align:center;padding:1rem}h1{font-size:1.5rem}.small{font-size:.875rem;opacity:.7}
</style></head><body><main><h1>${Bun.escapeHTML(message)}</h1>${detail}${reference}<p><a href="/sessions">Go to the sessions</a></p></main></body></html>`;
}

/**
 * Answers a request that leads nowhere: 405 with Allow if the API has the path under another method.
 * @param allowed the methods that the path takes.
 * @throws Refusal 404 for all others.
 */
export function answerUnknown({ path, requestId }: RequestContext, allowed: readonly string[]): Response {
  if (allowed.length === 0 || !path.startsWith("/api/")) throw notFound();
  const body: ErrorBody = { error: "method not allowed", code: "method_not_allowed", requestId };
  return Response.json(body, { status: 405, headers: { allow: allowed.join(", ") } });
}

// Decision: everything behind this file may parse the address of a request. Bun takes it from the Host header, which HTTP/1.0 does not
// have (the health checks of HAProxy and Nagios) and which may be anything. Only health checks are answered without one.

/** The origin of a request whose host is missing or unreadable. No host has this name (RFC 6761). */
const ORIGIN = "http://no-host.invalid";
const healthPath = /^\/(up|ready)\/?(\?|$)/;

/** The request itself, or one with an address that can be parsed in its place; its body is left behind. */
export function withReadableHost(request: Request): Request {
  if (URL.canParse(request.url)) return request;
  const { headers, signal } = request;
  const method = request.method === "HEAD" ? "HEAD" : "GET";
  const target = targetOf(request.url);
  const isHealthCheck = method === request.method && healthPath.test(target);
  return new Request(`${ORIGIN}${isHealthCheck ? target : "/"}`, { method, headers, signal });
}

/** True for a request that nothing but 400 can answer. */
export function lacksHost(request: Request): boolean {
  return request.url === `${ORIGIN}/`;
}

export function refuseWithoutHost(
  { env, log }: Pick<Deps, "env" | "log">,
  context: RequestContext,
): Response {
  const refusal = malformed("The Host header is missing or is not a host.");
  const response = answerError(refusal, context, log);
  setSecurityHeaders(response.headers, env, context);
  return response;
}

/** The path and the query. Without a host that it can use Bun gives these alone, or an address that cannot be parsed. */
function targetOf(address: string): string {
  return address.startsWith("/")
    ? address
    : (/^\w+:\/\/[^/]*(?<target>\/.*)$/.exec(address)?.groups?.["target"] ?? "");
}
