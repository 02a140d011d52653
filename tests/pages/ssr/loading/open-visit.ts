import { RouterContextProvider } from "react-router";
import { type Api, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { createRequestContext } from "#src/http/request-context.ts";
import { beginPage } from "#src/pages/ssr/begin-page.ts";
import { openPage } from "#src/pages/ssr/open-page.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";

const ORIGIN = "http://localhost:3000";

/** The cookie and the anti-forgery token of a browser. */
export type Credentials = Record<string, string>;

/** A page request as the server answers it, before its loaders run. */
export type Visit = { request: Request; context: (api: Api) => RouterContextProvider };

/** Opens a page for a browser. `context` makes what guards and loaders get, with an API of the test's choice. */
export async function openVisit(deps: Deps, path: string, credentials: Credentials): Promise<Visit> {
  const request = requestFor(path, credentials);
  beginPage(deps, request);
  const { viewer, csrfToken } = await authenticate(deps, request);
  const { page } = await openPage(deps, request, { viewer, csrfToken: csrfToken() });
  return {
    request,
    context: (api) => {
      const context = new RouterContextProvider();
      context.set(pageContext, page);
      context.set(apiContext, api);
      return context;
    },
  };
}

/** A page request that the server has just received. */
export function requestFor(path: string, credentials: Credentials): Request {
  const headers = { accept: "text/html", cookie: credentials["cookie"] ?? "" };
  const request = new Request(ORIGIN + path, { headers });
  createRequestContext(request, "");
  return request;
}

/** The API over HTTP, for loaders that believe to be on the server. */
export function apiOverHttp(origin: string, credentials: Credentials): Api {
  const csrfToken = credentials[CSRF_HEADER] ?? "";
  const send = (path: string, init: RequestInit) => {
    const request = new Request(origin + path, init);
    request.headers.set("cookie", credentials["cookie"] ?? "");
    return fetch(request);
  };
  return createApi({ inProcess: true, carry: overHttp({ csrfToken, send }) });
}
