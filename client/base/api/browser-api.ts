import { carryAhead, carryPrefetched } from "#client/base/api/prefetch.ts";
import { type Api, createApi } from "./api.ts";
import { overHttp } from "./over-http.ts";
import { requestWithRetry } from "./request-with-retry.ts";

/**
 * The API client of the browser, and a second one that sends the requests of the next page ahead. It bypasses the HTTP cache: answers contain the server's time, to which pages set their
 * clocks, so a cached answer would be wrong.
 */
export function createBrowserApi(csrfToken: string): { api: Api; apiAhead: Api } {
  const carry = overHttp({
    csrfToken,
    send: (path, init) => requestWithRetry(fetch, path, { ...init, cache: "no-store" }),
  });
  return {
    api: createApi({ inProcess: false, carry: carryPrefetched(carry) }),
    apiAhead: createApi({ inProcess: false, carry: carryAhead(carry) }),
  };
}
