import { data, type LoaderFunction, redirect, redirectDocument } from "react-router";
import { ApiError } from "./api.ts";
import { signInPath } from "./guard.ts";
import { Unreachable } from "./request-with-retry.ts";

const TOO_MANY_REQUESTS = 429;
const RETRY_AFTER = "retry-after";

/** What the error page knows about an error. It is sent to the browser, so it must not contain more. */
export type ErrorDetails = { reason: "offline" | "refused"; detail: string };

/** Wraps a loader or an action: turns errors of the API into pages. Example: 401 redirects to the sign-in page. */
export function withErrorResponses(load: LoaderFunction): LoaderFunction {
  return async (args, handlerContext) => {
    try {
      return await load(args, handlerContext);
    } catch (error) {
      throw toErrorResponse(error, args.request);
    }
  };
}

function toErrorResponse(error: unknown, request: Request): unknown {
  if (error instanceof Unreachable) return errorResponse(503, { reason: "offline", detail: "" });
  if (!(error instanceof ApiError)) return error;
  if (error.status === 401) return redirectDocument(signInPath(request));
  if (error.body?.code === "guest") return redirect("/guest");
  const { status, body, message, response } = error;
  // People read in the sentence when to try again, programs in the header.
  const retryAfter = response.headers.get(RETRY_AFTER);
  const detail = body?.detail ?? (status === TOO_MANY_REQUESTS ? message : "");
  return errorResponse(
    status,
    { reason: "refused", detail },
    retryAfter === null ? {} : { [RETRY_AFTER]: retryAfter },
  );
}

function errorResponse(status: number, details: ErrorDetails, headers: Record<string, string> = {}) {
  return data(details, { status, headers });
}
