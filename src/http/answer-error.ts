import type { Logger } from "pino";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { isDatabaseChanged } from "#db/pool/database-errors.ts";
import { notFound, Refusal, unavailable } from "#src/base/refusal.ts";
import { escapeHtml } from "./escape-html.ts";
import { isSafeMethod } from "./page-request.ts";
import type { RequestContext } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";

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
    return internalError();
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
  const { challenge } = refusal.details;
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

/** The body of the answer that refuses a request. */
export function bodyOf({ code, message, details }: Refusal, requestId: string): ErrorBody {
  const { retryAfterSeconds: _wait, challenge: _challenge, ...otherDetails } = details;
  return { error: message, code, ...otherDetails, requestId };
}

function internalError(): Refusal {
  return new Refusal(500, "internal", "Something went wrong on our side. Try again in a moment.");
}

/**
 * The page that is sent when the app itself cannot answer. It needs no script, no style sheet and no database. It shows the
 * message, what else is to be read, and the request id.
 */
function errorPage({ message, details }: Refusal, { nonce, requestId }: RequestContext): string {
  const detail = details.detail === undefined ? "" : `<p>${escapeHtml(details.detail)}</p>`;
  const reference = `<p class="small">Reference: ${requestId}</p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Called It</title><style nonce="${nonce}">
:root{color-scheme:light dark}body{font:1.125rem/1.5 system-ui,sans-serif;margin:0;min-height:100vh;display:grid;
place-content:center;text-align:center;padding:1rem}h1{font-size:1.5rem}.small{font-size:.875rem;opacity:.7}
</style></head><body><main><h1>${escapeHtml(message)}</h1>${detail}${reference}<p><a href="/sessions">Go to the sessions</a></p></main></body></html>`;
}
