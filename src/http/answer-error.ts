import type { Logger } from "pino";
import { isDatabaseAway } from "#src/base/database-away.ts";
import { malformed, notFound, Refusal, unavailable } from "#src/base/refusal.ts";
import { errorPage } from "./error-page.ts";
import { isPageRequest } from "./page-request.ts";
import { requestContextOf } from "./request-context.ts";
import type { ErrorBody } from "./schemas.ts";

/** Too often, and not just now: whoever asks again must know when. */
const passing = new Set([429, 503]);
const RETRY_AFTER_S = 2;

/**
 * Makes an answer of whatever was thrown. A refusal says what it has to say; anything else is a bug, which the log learns
 * all about and the client only the request id of. Each carries that id, so that people can name it to us.
 */
export function answerError(error: unknown, { request, log }: { request: Request; log: Logger }): Response {
  const { requestId } = requestContextOf(request);
  const refusal = refusalIn(error);
  if (refusal === null) {
    log.error({ err: error, requestId }, "a request failed");
    return answerRefusal(request, internalError());
  }
  if (refusal.status >= 500) log.warn({ err: error, requestId }, "a request could not be served");
  return answerRefusal(request, refusal);
}

/** The refusal that an error stands for; null for a bug. */
function refusalIn(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (!(error instanceof Error)) return null;
  if (isDatabaseAway(error)) return unavailable();
  const code = "code" in error ? error.code : undefined;
  if (code === "NOT_FOUND") return notFound();
  // Elysia wraps what its parsers throw.
  if (code === "PARSE")
    return error.cause instanceof Refusal ? error.cause : malformed("The body cannot be read.");
  return null;
}

function answerRefusal(request: Request, refusal: Refusal): Response {
  const { status, code, message, details } = refusal;
  const exchange = requestContextOf(request);
  const { retryAfterSeconds, ...said } = details;
  const headers = new Headers();
  const waitS = retryAfterSeconds ?? (passing.has(status) ? RETRY_AFTER_S : undefined);
  if (waitS !== undefined) headers.set("retry-after", String(waitS));
  if (isPageRequest(request)) {
    headers.set("content-type", "text/html; charset=utf-8");
    return new Response(errorPage(refusal, exchange), { status, headers });
  }
  const body: ErrorBody = { error: message, code, ...said, requestId: exchange.requestId };
  return Response.json(body, { status, headers });
}

function internalError(): Refusal {
  return new Refusal(500, "internal", "Something went wrong on our side. Try again in a moment.");
}
