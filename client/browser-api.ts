import { type Api, createApi } from "./api.ts";
import { reach } from "./reach.ts";

/**
 * The API from a browser. Nothing is taken from the browser's store: what a page is told carries the server's time, and must
 * be as new as that.
 */
export function createBrowserApi(csrfToken: string): Api {
  return createApi({
    inProcess: false,
    csrfToken,
    send: (path, init) => reach(fetch, path, { ...init, cache: "no-store" }),
  });
}
