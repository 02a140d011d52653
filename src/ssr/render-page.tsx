import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from "react-router";
import type { Api } from "#client/api.ts";
import { apiContext, AppContext, pageContext } from "#client/context.ts";
import { deferredIn, markDeferred } from "#client/deferred/hydrate-deferred.ts";
import { hereOf } from "#client/frame/use-here.ts";
import { isHandle } from "#client/handle.ts";
import { fetchFrame, startedFrameContext } from "#client/load-frame.ts";
import type { Page } from "#client/page.ts";
import { routes } from "#client/routes.tsx";
import type { Deps } from "#src/base/deps.ts";
import { nonceOf } from "#src/http/request-context.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import type { Assets } from "./assets.ts";
import { documentAround } from "./document.ts";
import { createInProcessApi, type Handle } from "./in-process-api.ts";
import { openPage } from "./open-page.ts";
import { readForm } from "./read-form.ts";
import { renderApp } from "./render-app.ts";
import { respond } from "./respond.ts";

const handler = createStaticHandler(routes);

/** The status in the log for a client that has left before the page was ready, as in nginx. */
const CLIENT_LEFT = 499;

type Rendering = { deps: Deps; request: Request; assets: Assets; handle: Handle };

/**
 * Answers a page request: runs guards, action and loaders, then redirects or renders the page. What loaders have deferred follows
 * in the same answer.
 * @throws Refusal 400 or 422 for a form that is refused (see readForm); whatever rendering the shell throws.
 */
export async function renderPage({ deps, request, assets, handle }: Rendering): Promise<Response> {
  const authentication = await authenticate(deps, request);
  const pageRequest = await readForm(deps, request, authentication);
  const { viewer } = authentication;
  const csrfToken = authentication.csrfToken();
  const opened = openPage(deps, request, { viewer, csrfToken });
  const api = createInProcessApi(handle, request, csrfToken);
  const context = new RouterContextProvider();
  if (request.method === "GET") {
    const frame = opened.streamOffsets.then(() => fetchFrame(api, viewer, request.signal));
    // A page that redirects never awaits it.
    frame.catch(() => undefined);
    context.set(startedFrameContext, frame);
  }
  const page = await opened.page;
  context.set(pageContext, page);
  context.set(apiContext, api);
  const visit = { deps, request, assets, page, api, requestId: authentication.requestId };
  // Without generateMiddlewareResponse the router would silently skip the guards on the server.
  const answer: unknown = await handler.query(pageRequest, {
    requestContext: context,
    generateMiddlewareResponse: async (query) => {
      const result = await query(pageRequest);
      return result instanceof Response ? result : renderResult(visit, result);
    },
  });
  if (!(answer instanceof Response)) throw new TypeError("The router returned no response.");
  return withoutRouterHeaders(answer);
}

type Visit = Omit<Rendering, "handle"> & { page: Page; api: Api; requestId: string };

/** Renders the page with what its loaders and its action have returned. */
async function renderResult(
  { deps, request, assets, page, api, requestId }: Visit,
  result: StaticHandlerContext,
): Promise<Response> {
  // The client has left. Nobody reads this answer, and what was aborted is no bug.
  if (request.signal.aborted) return new Response(null, { status: CLIENT_LEFT });
  logBugs(deps, result, requestId);
  const nonce = nonceOf(request);
  const app = await renderApp(
    <AppContext value={{ page, api }}>
      <StaticRouterProvider
        router={createStaticRouter(handler.dataRoutes, result)}
        context={result}
        hydrate={false}
      />
    </AppContext>,
    { nonce, onError: (error) => deps.log.error({ err: error, requestId }, "rendering a page failed") },
  );
  const matches = matchesOf(result);
  const { marked, pending } = markDeferred(result.loaderData);
  const around = documentAround(
    {
      page,
      title: hereOf(matches).title,
      nonce,
      hydrationData: hydrationData({ ...result, loaderData: marked }),
      files: filesFor(assets, matches),
    },
    { isStreamed: app.rest !== null },
  );
  const { statusCode: status } = result;
  return withRetryAfter(respond(request, { around, app, pending, nonce, status }), result);
}

type Match = { id: string; handle: unknown; loaderData: unknown };

function matchesOf({ matches, loaderData }: StaticHandlerContext): Match[] {
  return matches.map(({ route }) => ({
    id: route.id,
    handle: route.handle,
    loaderData: loaderData[route.id],
  }));
}

/** The files of the page. All of its scripts are listed, so that the browser does not discover them one by one. */
function filesFor({ manifest }: Assets, matches: readonly Match[]) {
  const { entry, styles, font, mark, chunks } = manifest;
  const modules = matches.flatMap(({ handle }) =>
    isHandle(handle) && handle.module !== null ? [handle.module] : [],
  );
  const scripts = new Set(["client/entry.tsx", ...modules].flatMap((module) => chunks[module] ?? []));
  return { entry, styles, font, mark, scripts: [...scripts] };
}

/** Logs what loaders and actions have thrown, and what the parts that are still loaded will throw. */
function logBugs(deps: Deps, { errors, loaderData }: StaticHandlerContext, requestId: string): void {
  const log = (error: Error) => deps.log.error({ err: error, requestId }, "a loader or action failed");
  for (const error of Object.values(errors ?? {})) {
    if (error instanceof Error) log(error);
  }
  for (const part of deferredIn(loaderData)) {
    void part.outcome.then(() => part.bug !== null && log(part.bug));
  }
}

/** Copies the Retry-After header of a loader or action to the page. */
function withRetryAfter(
  response: Response,
  { actionHeaders, loaderHeaders }: StaticHandlerContext,
): Response {
  const routeHeaders = [...Object.values(actionHeaders), ...Object.values(loaderHeaders)];
  const waitS = routeHeaders.map((headers) => headers.get("retry-after")).find((seconds) => seconds !== null);
  if (waitS !== undefined) response.headers.set("retry-after", waitS);
  return response;
}

/** Removes headers that are only for a router in the browser. */
function withoutRouterHeaders(response: Response): Response {
  response.headers.delete("x-remix-reload-document");
  response.headers.delete("x-remix-replace");
  return response;
}

/** The data that the browser's router hydrates from, in its format. Unknown errors are reported without their details. */
function hydrationData({ loaderData, actionData, errors }: StaticHandlerContext): unknown {
  return { loaderData, actionData, errors: errors === null ? null : serializeErrors(errors) };
}

function serializeErrors(errors: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(errors).map(([routeId, error]) => [
      routeId,
      isRouteErrorResponse(error)
        ? { ...error, __type: "RouteErrorResponse" }
        : { message: "Something went wrong on our side.", __type: "Error" },
    ]),
  );
}
