import { Memoirist } from "memoirist";
import {
  createStaticHandler,
  type RouteObject,
  type RouterContextProvider,
  type StaticHandler,
  type StaticHandlerContext,
} from "react-router";
import { routes } from "#client/app/routes.tsx";
import { type Handle, isHandle } from "#client/base/page/handle.ts";
import { measurePagePart } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";

const allRoutes = createStaticHandler(routes, {
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
// pages for each path (300 us). So what was found runs by a handler that knows its own routes alone: react-router tries all patterns of
// the others one after the other (50 us).
type Found = { handle: Handle | null; handler: StaticHandler };
const table = new Memoirist<Found>({ onParam: decodeURIComponent });
addRoutes(allRoutes.dataRoutes, []);

/** @param parents of these routes, the outermost first. */
function addRoutes(all: readonly RouteObject[], parents: readonly RouteObject[]): void {
  for (const route of all) {
    const { path, handle, children = [] } = route;
    if (path !== undefined && path !== "*") {
      const alone = parents.reduceRight(
        (child, parent) => ({ ...parent, index: false, children: [child] }),
        route,
      );
      table.add("GET", path, {
        handle: isHandle(handle) ? handle : null,
        handler: createStaticHandler([alone]),
      });
    }
    addRoutes(children, [...parents, route]);
  }
}

/** These mean the same to the table and to react-router, which decodes, and takes capitals for small letters. */
const PLAIN = /^[^A-Z%]*$/;
const find = (path: string) => table.find("GET", path.replace(/(?<=.)\/$/, ""));

/** The record of the screen that a path leads to, if there is one, and the parameters in the path. */
export function matchPage(path: string): { screen: Handle | null; params: Record<string, string> } {
  const found = find(path);
  return { screen: found?.store.handle ?? null, params: found?.params ?? {} };
}

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
  const path = new URL(request.url).pathname;
  const handler = (PLAIN.test(path) ? find(path)?.store.handler : undefined) ?? allRoutes;
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
