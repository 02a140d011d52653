import { Memoirist } from "memoirist";
import {
  createStaticHandler,
  type RouteObject,
  type RouterContextProvider,
  type StaticHandlerContext,
} from "react-router";
import { routes } from "#client/app/routes.tsx";
import { type Handle, isHandle } from "#client/base/page/handle.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";

const handler = createStaticHandler(routes, {
  instrumentations: [
    {
      route: (route) =>
        route.instrument({
          loader: async (load) => {
            await inSpan(`loader ${route.id}`, load);
          },
        }),
    },
  ],
});

// Decision: react-router finds the routes of a page, but only once it runs them, and then the sign-in is known already. What a page reads
// together with the sign-in is found in a table of the same records, as endpoints are: its own `matchRoutes` prepares the patterns of all
// pages for each path (300 us). A path that only react-router reads, in capitals or with two slashes, reads nothing ahead.
const screens = new Memoirist<Handle>({ onParam: decodeURIComponent });
addScreens(routes);

function addScreens(all: readonly RouteObject[]): void {
  for (const { path, handle, children = [] } of all) {
    if (path !== undefined && isHandle(handle)) screens.add("GET", path, handle);
    addScreens(children);
  }
}

/** The record of the screen that a path leads to, if there is one, and the parameters in the path. */
export function matchPage(path: string): { screen: Handle | null; params: Record<string, string> } {
  const found = screens.find("GET", path.replace(/(?<=.)\/$/, ""));
  return { screen: found?.store ?? null, params: found?.params ?? {} };
}

/** Renders what the routes have returned. */
type Render = (result: StaticHandlerContext) => Promise<Response>;

/**
 * Runs the guards, the action and the loaders of a page, and renders it.
 * @param context what guards, loaders and actions get.
 * @returns what `render` answers, or a redirection.
 */
export async function runPage(
  request: Request,
  context: RouterContextProvider,
  render: Render,
): Promise<Response> {
  const answer: unknown = await handler.query(request, {
    requestContext: context,
    // Without it the router would silently skip the guards on the server.
    generateMiddlewareResponse: async (load) => {
      const startedAtMs = performance.now();
      const result = await load(request);
      // Of a form it is the time of its action too.
      if (request.method === "GET") measurePagePart("loaders", startedAtMs);
      return result instanceof Response ? result : render(result);
    },
  });
  if (!(answer instanceof Response)) throw new TypeError("The router returned no response.");
  return answer;
}
