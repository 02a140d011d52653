import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from "react-router";
import { apiContext, AppContext, pageContext } from "#client/context.ts";
import { hereOf } from "#client/frame/use-here.ts";
import { isHandle } from "#client/handle.ts";
import { routes } from "#client/routes.tsx";
import type { Deps } from "#src/base/deps.ts";
import { nonceOf } from "#src/http/request-context.ts";
import { authenticate } from "#src/sign-ins/authenticate.ts";
import type { Assets } from "./assets.ts";
import { documentAround } from "./document.ts";
import { createInProcessApi, type Handle } from "./in-process-api.ts";
import { pageOf } from "./page-of.ts";
import { readForm } from "./read-form.ts";
import { renderAtOnce } from "./render-at-once.ts";
import { respond } from "./respond.ts";

const handler = createStaticHandler(routes);

type Rendering = { deps: Deps; request: Request; assets: Assets; handle: Handle };

/**
 * Answers a page request: runs guards, action and loaders, then renders the whole page or redirects.
 * @throws Refusal 400 or 422 for a form that is refused (see readForm); whatever rendering the shell throws.
 */
export async function renderPage({ deps, request, assets, handle }: Rendering): Promise<Response> {
  const authentication = await authenticate(deps, request);
  const pageRequest = await readForm(deps, request, authentication);
  const page = await pageOf(deps, request, authentication);
  const api = createInProcessApi(handle, request, page.csrfToken);
  const context = new RouterContextProvider();
  context.set(pageContext, page);
  context.set(apiContext, api);

  const render = async (result: StaticHandlerContext): Promise<Response> => {
    logBugs(deps, result, authentication.requestId);
    const nonce = nonceOf(request);
    const app = (
      <AppContext value={{ page, api }}>
        <StaticRouterProvider
          router={createStaticRouter(handler.dataRoutes, result)}
          context={result}
          hydrate={false}
        />
      </AppContext>
    );
    const body = await renderAtOnce(app, {
      nonce,
      onError: (error) =>
        deps.log.error({ err: error, requestId: authentication.requestId }, "rendering a page failed"),
    });
    const matches = matchesOf(result);
    const { title } = hereOf(matches);
    const around = documentAround({
      page,
      title,
      nonce,
      hydrationData: hydrationData(result),
      files: filesFor(assets, matches),
    });
    return withRetryAfter(respond(request, { ...around, body, status: result.statusCode }), result);
  };

  // Without generateMiddlewareResponse the router would silently skip the guards on the server.
  const answer: unknown = await handler.query(pageRequest, {
    requestContext: context,
    generateMiddlewareResponse: async (query) => {
      const result = await query(pageRequest);
      return result instanceof Response ? result : render(result);
    },
  });
  if (!(answer instanceof Response)) throw new TypeError("The router returned no response.");
  return withoutRouterHeaders(answer);
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

function logBugs(deps: Deps, { errors }: StaticHandlerContext, requestId: string): void {
  for (const error of Object.values(errors ?? {})) {
    if (error instanceof Error) deps.log.error({ err: error, requestId }, "a loader or action failed");
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
