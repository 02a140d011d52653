import { RouterContextProvider } from "react-router";
import { type Api, createApi } from "#client/base/api/api.ts";
import { overHttp } from "#client/base/api/over-http.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import type { Deps } from "#src/base/deps.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { createRequestContext, type RequestContext } from "#src/http/request-context.ts";
import { prefetchPageData } from "#src/pages/page-read/prefetch-page-data.ts";
import { buildPageContext } from "#src/pages/ssr/build-page-context.ts";
import { matchPage } from "#src/pages/ssr/run-page.ts";
import { authenticate } from "#src/people/sign-ins/authenticate.ts";
import type { Server } from "#tests/support/server.ts";

const ORIGIN = "http://localhost:3000";

/** The cookie and the anti-forgery token of a browser. */
export type Credentials = Record<string, string>;

/** A page request as the server answers it, before its loaders run. */
export type Visit = { received: RequestContext; context: (api: Api) => RouterContextProvider };

/** Opens a page for a browser. `context` makes what guards and loaders get, with an API of the test's choice. */
export async function openVisit(
  { deps, server }: { deps: Deps; server: Server },
  path: string,
  credentials: Credentials,
): Promise<Visit> {
  const received = receive(server, path, credentials);
  const { screen, params } = matchPage(received.path);
  const begun = prefetchPageData(deps, received, { reads: screen?.reads ?? {}, params });
  const { viewer, csrfToken } = await authenticate(deps, received);
  const { page } = await buildPageContext(deps, received.request, { viewer, csrfToken: csrfToken(), begun });
  return {
    received,
    context: (api) => {
      const context = new RouterContextProvider();
      context.set(pageContext, page);
      context.set(apiContext, api);
      return context;
    },
  };
}

/** A page request that the server has just received. */
export function receive(server: Server, path: string, credentials: Credentials): RequestContext {
  const headers = { accept: "text/html", cookie: credentials["cookie"] ?? "" };
  const request = new Request(ORIGIN + path, { headers });
  return { ...createRequestContext(request, ""), endpoints: server.decorator.endpoints };
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
