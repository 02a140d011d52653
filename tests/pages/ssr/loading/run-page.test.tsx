import { describe, expect, test } from "bun:test";
import { renderToString } from "react-dom/server";
import {
  createStaticHandler,
  createStaticRouter,
  data,
  isRouteErrorResponse,
  type LoaderFunction,
  type MiddlewareFunction,
  redirect,
  RouterContextProvider,
  type RouteObject,
  type StaticHandlerContext,
  StaticRouterProvider,
} from "react-router";
import { routes } from "#client/app/routes.tsx";
import { type Api, createApi } from "#client/base/api/api.ts";
import { deferredIn } from "#client/base/deferred/hydrate-deferred.ts";
import { AppContext, pageContext } from "#client/base/page/context.ts";
import { createInProcessApi } from "#src/pages/ssr/in-process-api.ts";
import { pageApp } from "#src/pages/ssr/page-app.tsx";
import { createPageRunner, type RunPage } from "#src/pages/ssr/run-page.ts";
import { createServer } from "#src/server.ts";
import { buildWorld, callers, pathIn } from "#tests/http/access-world.ts";
import { pageAccess } from "#tests/http/page-access.ts";
import { signInDirectly, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { openVisit } from "./open-visit.ts";

const deps = await testDeps();
const server = createServer(deps);
const world = await buildWorld(deps);
const { dataRoutes } = createStaticHandler(routes);
const { run: runPage } = createPageRunner(routes);

/** Runs pages by react-router's own handler. */
function byRouterOf(pages: RouteObject[]): RunPage {
  const handler = createStaticHandler(pages);
  return async (request, context, render) => {
    const answer: unknown = await handler.query(request, {
      requestContext: context,
      generateMiddlewareResponse: async (load) => {
        const result = await load(request);
        return result instanceof Response ? result : render(result);
      },
    });
    if (!(answer instanceof Response)) throw new TypeError("no response");
    return answer;
  };
}

const runByRouter = byRouterOf(routes);

/** A page's HTML and its data for the browser, or where it leads. */
async function documentBy(
  run: RunPage,
  api: Api,
  { request, context }: Awaited<ReturnType<typeof openVisit>>,
) {
  const scope = context(api);
  const response = await run(request, scope, async (result) => {
    for (const part of deferredIn(result.loaderData)) await part.outcome;
    const app = { page: scope.get(pageContext), api };
    const html = renderToString(pageApp(app, result));
    expect(html).toBe(renderToString(appWithAllRoutes(app, result)));
    const { loaderData, errors, actionData, location } = result;
    const hydrated = JSON.stringify({ loaderData: sorted(loaderData), errors, actionData, location });
    return new Response(withoutKeys(html + hydrated), { status: result.statusCode });
  });
  return [response.status, response.headers.get("location"), await response.text()];
}

function appWithAllRoutes(
  app: { page: Parameters<typeof pageApp>[0]["page"]; api: Api },
  result: StaticHandlerContext,
) {
  return (
    <AppContext value={app}>
      <StaticRouterProvider
        router={createStaticRouter(dataRoutes, result)}
        context={result}
        hydrate={false}
      />
    </AppContext>
  );
}

const sorted = (values: object) =>
  Object.fromEntries(Object.entries(values).toSorted(([one], [other]) => one.localeCompare(other)));

/** Forms get a new key each time. */
const withoutKeys = (text: string) => text.replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "(key)");

/** The same answers for both runs, with the times of the first. */
function remembered(api: Api, answers: Map<string, Promise<unknown>>): Api {
  return createApi({
    inProcess: true,
    carry: (method, path, options) => {
      const key = JSON.stringify([method, path, options.query]);
      const answer = answers.get(key) ?? api.request<unknown>(method, path, options);
      answers.set(key, answer);
      return answer;
    },
  });
}

describe("a page is the same as react-router's own handler makes it:", () => {
  for (const key of Object.keys(pageAccess).filter((one) => one.startsWith("GET "))) {
    test(key.slice("GET ".length), async () => {
      const path = pathIn(world, key, null);
      for (const name of callers) {
        const credentials =
          name === "out"
            ? (await signedOutClient(server)).credentials()
            : await signInDirectly(deps, world.users[name]);
        const visit = await openVisit(deps, path, credentials);
        const api = remembered(createInProcessApi(deps, visit.request), new Map());
        // The first visit of a screen loads its code by the router.
        await documentBy(runPage, api, visit);
        const byRouter = await documentBy(runByRouter, api, visit);
        expect(await documentBy(runPage, api, visit)).toEqual(byRouter);
      }
    });
  }
});

describe("what is not ordinary is answered by react-router:", () => {
  const failing = () => {
    throw new Error("a bug");
  };
  const cases: Record<string, { route: PageRoute; answers: (string | number | null)[] }> = {
    "a redirect of a loader": {
      route: { loader: () => redirect("/elsewhere") },
      answers: [302, "/elsewhere", ""],
    },
    "a redirect of a guard": {
      route: { middleware: [() => Promise.reject(redirect("/elsewhere"))], loader: () => "not called" },
      answers: [302, "/elsewhere", ""],
    },
    "a guard that answers by itself": {
      route: { middleware: [async () => new Response("by itself", { status: 418 })] },
      answers: [418, null, "by itself"],
    },
    "a guard that does not call next": {
      route: { middleware: [async () => undefined], loader: () => "loaded" },
      answers: [200, null, '{"page":"loaded"} null'],
    },
    "data with a status": {
      route: { loader: () => data("made", { status: 201 }) },
      answers: [201, null, '{"page":"made"} null'],
    },
    "a returned response": {
      route: { loader: () => Response.json({ from: "a response" }, { status: 202 }) },
      answers: [202, null, '{"page":{"from":"a response"}} null'],
    },
    "a thrown status": {
      route: { loader: () => Promise.reject(data(null, { status: 404 })) },
      answers: [404, null, "{} 404"],
    },
    "a bug of a loader": { route: { loader: failing }, answers: [500, null, "{} a bug"] },
  };

  for (const [title, { route, answers: expected }] of Object.entries(cases)) {
    test(title, async () => {
      expect(await visitRoute(route, "http://localhost/page")).toEqual(expected);
    });
  }

  test("an unknown path", async () => {
    expect(await visitRoute({}, "http://localhost/unknown")).toEqual([404, null, "{} 404"]);
  });
});

type PageRoute = { loader?: LoaderFunction; middleware?: MiddlewareFunction[] };

/** Visits a page of this route, or another path. @returns the status, the redirection, and the data and error of the page. */
async function visitRoute(route: PageRoute, url: string) {
  const pages: RouteObject[] = [{ id: "page", path: "/page", ...route }];
  const { run } = createPageRunner([{ id: "root", ErrorBoundary: () => null, children: pages }]);
  const response = await run(new Request(url), new RouterContextProvider(), async (result) => {
    const [error = null] = Object.values(result.errors ?? {});
    return new Response(`${JSON.stringify(result.loaderData)} ${describeError(error)}`, {
      status: result.statusCode,
    });
  });
  return [response.status, response.headers.get("location"), await response.text()];
}

function describeError(error: unknown): string {
  if (isRouteErrorResponse(error)) return String(error.status);
  return error instanceof Error ? error.message : String(error);
}

test("loaders get what react-router gives them", async () => {
  const seen: unknown[] = [];
  const loader: LoaderFunction = ({ request, url, pattern, params, context }) => {
    seen.push([request.url, url.href, pattern, { ...params }, context instanceof RouterContextProvider]);
    return null;
  };
  const pages: RouteObject[] = [{ id: "page", path: "/shows/:slug/:part", loader }];
  const url = "http://localhost/shows/derby/chat?q=a%20b&index=&index=1&q=c";
  for (const address of [url, url.replaceAll("index", "other"), "http://localhost/shows/derby/chat"]) {
    for (const run of [createPageRunner(pages).run, byRouterOf(pages)]) {
      await run(new Request(address), new RouterContextProvider(), async () => new Response());
    }
  }
  for (const [index, ours] of seen.entries()) if (index % 2 === 0) expect(ours).toEqual(seen[index + 1]);
  expect(seen).toHaveLength(6);
});

test("no loader runs twice, whatever becomes of its page", async () => {
  let runs = 0;
  for (const outcome of [
    () => redirect("/elsewhere"),
    () => data(1, 201),
    () => Promise.reject(new Error("a bug")),
  ]) {
    runs = 0;
    await visitRoute({ loader: () => ((runs += 1), outcome()) }, "http://localhost/page");
    expect(runs).toBe(1);
  }
});

test("a page that cannot be rendered shows its error", async () => {
  const pages: RouteObject[] = [
    { id: "page", path: "/page", middleware: [(_, next) => next()], loader: () => 1 },
  ];
  const { run } = createPageRunner([{ id: "root", ErrorBoundary: () => null, children: pages }]);
  const response = await run(
    new Request("http://localhost/page"),
    new RouterContextProvider(),
    async (result) => {
      if (result.errors === null) throw new Error("cannot be rendered");
      return new Response(Object.values(result.errors).map(describeError).join(), {
        status: result.statusCode,
      });
    },
  );
  expect([response.status, await response.text()]).toEqual([500, "cannot be rendered"]);
});

test("a client that leaves ends the wait for its loaders", async () => {
  const left = new AbortController();
  const pages: RouteObject[] = [
    { id: "page", path: "/page", loader: () => new Promise(() => left.abort("left")) },
  ];
  const request = new Request("http://localhost/page", { signal: left.signal });
  const run = createPageRunner(pages).run(request, new RouterContextProvider(), async () => new Response());
  expect(await run.catch((reason: unknown) => reason)).toBe("left");
});
