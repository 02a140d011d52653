import { data, type LoaderFunction, redirect, redirectDocument } from "react-router";
import { ApiError } from "./api.ts";
import { signInPath } from "./guard.ts";
import { Unreachable } from "./reach.ts";

const TOO_OFTEN = 429;
const RETRY_AFTER = "retry-after";

/** What an error page is told. Never more than this: it goes over the wire. */
export type Failure = { reason: "offline" | "refused"; detail: string };

/** Turns the API's refusals inside a loader or an action into pages: signed out -> sign-in, not found -> 404, and so on. */
export function asPage(work: LoaderFunction): LoaderFunction {
  return async (args, handlerContext) => {
    try {
      return await work(args, handlerContext);
    } catch (error) {
      throw asAnswer(error, args.request);
    }
  };
}

function asAnswer(error: unknown, request: Request): unknown {
  if (error instanceof Unreachable) return failure(503, { reason: "offline", detail: "" });
  if (!(error instanceof ApiError)) return error;
  if (error.status === 401) return redirectDocument(signInPath(request));
  if (error.body?.code === "guest") return redirect("/guest");
  const { status, body, message, response } = error;
  // When to come back is said to people in the sentence and to programs in the header.
  const waitS = response.headers.get(RETRY_AFTER);
  const detail = body?.detail ?? (status === TOO_OFTEN ? message : "");
  return failure(status, { reason: "refused", detail }, waitS === null ? {} : { [RETRY_AFTER]: waitS });
}

function failure(status: number, told: Failure, headers: Record<string, string> = {}) {
  return data(told, { status, headers });
}
