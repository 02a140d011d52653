import {
  type ActionFunction,
  data,
  type LoaderFunction,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
} from "react-router";
import { ApiError, endingWith } from "../api/api.ts";
import { Unreachable } from "../api/request-with-retry.ts";
import { apiContext, pageContext } from "./context.ts";
import { isBigScreen, signInPath } from "./guard.ts";
import type { Action, Loader } from "./handle.ts";

const SIGNED_OUT = 401;
/** Refusals whose sentence says what to do. */
const explained: readonly number[] = [422, 429];

/** What the error page knows about an error. It is sent to the browser, so it must not contain more. */
export type ErrorDetails = { reason: "offline" | "refused"; detail: string };

/** Why a part of a page is missing. It is sent to the browser too. */
export type Failure = {
  status: number;
  details: ErrorDetails | null;
  /** The page that helps: the sign-in page where the sign-in has ended, the welcome page for guests; otherwise null. */
  leadsTo: string | null;
};

type Asked = Pick<LoaderFunctionArgs, "request" | "context">;

/** The loader of a route: errors of the API become pages. Example: 401 redirects to the sign-in page. */
export function loaderOf(load: Loader): LoaderFunction {
  return withErrorResponses((args) =>
    load({ ...args, api: endingWith(args.request.signal, args.context.get(apiContext)) }),
  );
}

/** The action of a route, in the same way. */
export function actionOf(act: Action): ActionFunction {
  return withErrorResponses((args) => act({ ...args, api: args.context.get(apiContext) }));
}

function withErrorResponses(answer: (args: LoaderFunctionArgs) => unknown) {
  return async (args: LoaderFunctionArgs) => {
    try {
      return await answer(args);
    } catch (error) {
      throw toErrorResponse(error, args);
    }
  };
}

/** What the page says instead of the part that could not be loaded because of this error. */
export function failureOf(error: unknown, asked: Asked): Failure {
  if (error instanceof Unreachable)
    return { status: 503, details: { reason: "offline", detail: "" }, leadsTo: null };
  if (!(error instanceof ApiError)) return { status: 500, details: null, leadsTo: null };
  const { status, body, message } = error;
  const detail = body?.detail ?? (explained.includes(status) ? message : "");
  return { status, details: { reason: "refused", detail }, leadsTo: helpFor(error, asked) };
}

/** True for an error that is neither a refusal of the API nor a missing answer. */
export function isBug(error: unknown): error is Error {
  return error instanceof Error && !(error instanceof ApiError) && !(error instanceof Unreachable);
}

function helpFor({ status, body }: ApiError, { request, context }: Asked): string | null {
  if (status === SIGNED_OUT) return signInPath(request, { ended: context.get(pageContext).viewer !== null });
  return body?.code === "guest" ? "/guest" : null;
}

function toErrorResponse(error: unknown, asked: Asked): unknown {
  if (!(error instanceof ApiError || error instanceof Unreachable)) return error;
  const { status, details, leadsTo } = failureOf(error, asked);
  // A big screen is for everybody: where there is nothing to see for signed-out viewers, there is no page.
  if (status === SIGNED_OUT && isBigScreen(asked.request.url)) return data(null, { status: 404 });
  if (leadsTo !== null) return status === SIGNED_OUT ? redirectDocument(leadsTo) : redirect(leadsTo);
  // People read in the sentence when to try again, programs in the header.
  const waitS = error instanceof ApiError ? error.retryAfterS : 0;
  return data(details, { status, headers: waitS === 0 ? {} : { "retry-after": String(waitS) } });
}
