import { type Api, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { requestWithRetry } from "#client/base/api/request-with-retry.ts";

/** The API as the dock with this key: in a header of each request, and without the cookies of this browser. */
export function createDockApi(key: string): Api {
  const send = (path: string, init: RequestInit) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${key}`);
    return requestWithRetry(fetch, path, { ...init, headers, credentials: "omit", cache: "no-store" });
  };
  return createApi({ inProcess: false, carry: overHttp({ csrfToken: "", send }) });
}
