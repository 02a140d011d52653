import { type Api, createApi } from "./api.ts";
import { requestWithRetry } from "./request-with-retry.ts";

/**
 * The API client of the browser. It bypasses the HTTP cache: answers contain the server's time, to which pages set their
 * clocks, so a cached answer would be wrong.
 */
export function createBrowserApi(csrfToken: string): Api {
  return createApi({
    inProcess: false,
    csrfToken,
    send: (path, init) => requestWithRetry(fetch, path, { ...init, cache: "no-store" }),
  });
}
