import { type Api, ApiError, createApi, type RequestOptions } from "#client/base/api/api.ts";
import { parseCamel } from "#client/base/api/key-case.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Refusal } from "#src/base/refusal.ts";
import { bodyOf, refusalFor, retryAfterOf } from "#src/http/answer-error.ts";
import { STALE_VERSION } from "#src/http/if-match.ts";
import type { RequestContext } from "#src/http/request-context.ts";
import type { ErrorBody } from "#src/http/schemas.ts";
import { askEndpoint, readCurrentState } from "#src/people/sign-ins/ask-endpoint.ts";

/**
 * Creates the API client for the loaders and actions of one page. What it asks is answered in this process, with the page
 * request's sign-in. Cookies that the handlers set are sent with the page.
 */
export function createInProcessApi(deps: Deps, context: RequestContext): Api {
  return createApi({
    inProcess: true,
    carry: async (method, path, { query, headers, signal, data }) => {
      // A client that has left needs no further reads.
      signal?.throwIfAborted();
      try {
        const answer = await askEndpoint(deps, context, {
          method,
          path,
          query: textsOf(query),
          body: data === undefined ? null : asJson(data),
          ...(headers === undefined ? {} : { headers }),
        });
        return answer ?? null;
      } catch (error) {
        throw await apiErrorFor(deps, error, { context, path });
      }
    },
  });
}

/** The parameters of a query as an address carries them. */
function textsOf(query: RequestOptions["query"] = {}): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null) texts[name] = String(value).toWellFormed();
  }
  return texts;
}

/** A copy as JSON carries it. Example: it has no keys whose value is undefined. */
function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** The error that the client of the API throws in the browser for the same refusal. Bugs are logged. */
async function apiErrorFor(
  deps: Deps,
  error: unknown,
  { context, path }: { context: RequestContext; path: string },
): Promise<ApiError> {
  const { requestId } = context;
  const refusal: Refusal = refusalFor(error, { requestId, log: deps.log });
  const current =
    refusal.code === STALE_VERSION ? { current: await readCurrentState(deps, context, path) } : {};
  const body = JSON.stringify({ ...bodyOf(refusal, requestId), ...current });
  const waitS = retryAfterOf(refusal);
  const headers = waitS === null ? {} : { "retry-after": String(waitS) };
  const response = new Response(body, { status: refusal.status, headers });
  return new ApiError(response, parseCamel<ErrorBody>(body));
}
