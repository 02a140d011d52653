import {
  createStaticHandler,
  type DataRouteMatch,
  type DataStrategyResult,
  type LoaderFunctionArgs,
  matchRoutes,
  type RouterContextProvider,
  type RouteObject,
  type StaticHandlerContext,
} from "react-router";
import { measurePagePart } from "#src/base/instruments.ts";
import { inSpan } from "#src/base/spans.ts";
import { isReadablePath, pathOf } from "#src/http/page-request.ts";
import { createPageMatcher, type PageMatcher } from "./match-page.ts";

// Decision: the ordinary GET of a page is run here: match the path once, let the guards pass, call all loaders at the same time.
// react-router's own handler does the same with several times the work. Whatever is not ordinary is left to it, so that there is
// one rule for it: forms, redirects, errors, `data()`, unknown paths, and a screen whose code is not loaded yet. It gets the
// results of the loaders that have run, so no loader runs twice.

/** Renders what the routes have returned. */
type Render = (result: StaticHandlerContext) => Promise<Response>;
type Handler = ReturnType<typeof createStaticHandler>;
type Results = Record<string, DataStrategyResult>;

/**
 * Runs the guards, the action and the loaders of a page, and renders it.
 * @param context what guards, loaders and actions get.
 * @returns what `render` answers, or a redirection. Rejects with the reason of the abort once the client has left.
 */
export type RunPage = (request: Request, context: RouterContextProvider, render: Render) => Promise<Response>;

/** The routes that an address leads to, outermost first. Only the router runs them if the address is not `ordinary`. */
type Matched = { matches: DataRouteMatch[]; ordinary: boolean };

export type PageRunner = {
  /** Matches the address of a request, once for each request. */
  match: (request: Request) => Matched;
  run: RunPage;
};

/** Prepares these routes to be run. */
export function createPageRunner(routes: RouteObject[]): PageRunner {
  const handler = createStaticHandler(routes);
  const matchPath = createPageMatcher(handler.dataRoutes);
  const known = new WeakMap<Request, Matched>();
  const match = (request: Request) => {
    const matched = known.get(request) ?? matchedBy(handler, matchPath, pathOf(request));
    known.set(request, matched);
    return matched;
  };
  const run: RunPage = async (request, context, render) => {
    const visit = openVisit(match, request, context);
    const results = visit === null ? null : await runRoutes(visit);
    const result = visit === null || results === null ? null : resultOf(handler, visit, results);
    if (result === null) return leaveToRouter(handler, { request, context, render, results });
    try {
      return await render(result);
    } catch {
      // The router finds the screen that shows the error.
      return leaveToRouter(handler, { request, context, render, results });
    }
  };
  return { match, run };
}

function matchedBy({ dataRoutes }: Handler, matchPath: PageMatcher, path: string): Matched {
  const matches = matchPath(path);
  if (matches !== null) return { matches, ordinary: true };
  return { matches: (isReadablePath(path) ? matchRoutes(dataRoutes, path) : null) ?? [], ordinary: false };
}

/** A GET of a page whose code is loaded. */
type Visit = { args: LoaderFunctionArgs; matches: DataRouteMatch[]; search: string };

/** Null for a request that only the router can answer. */
function openVisit(
  match: PageRunner["match"],
  request: Request,
  context: LoaderFunctionArgs["context"],
): Visit | null {
  if (request.method !== "GET" && request.method !== "HEAD") return null;
  const url = new URL(request.url);
  const { search } = url;
  const { matches, ordinary } = match(request);
  const innermost = matches.at(-1);
  if (!isPlain(url) || !ordinary || innermost === undefined) return null;
  if (matches.some(({ route }) => route.lazy !== undefined)) return null;
  // As the router writes it: `?a=b c` becomes `?a=b+c`.
  if (search !== "") url.search = url.searchParams.toString();
  const { params, route } = innermost;
  return { matches, search, args: { request, url, pattern: route.path ?? "/", params, context } };
}

/** False for an address that the router changes before loaders get it: it removes `?index`. */
function isPlain({ search, searchParams, hash }: URL): boolean {
  return hash === "" && (search === "" || !searchParams.has("index"));
}

/**
 * Runs the guards from the outside in, then all loaders at the same time.
 * @returns what the loaders have returned or thrown, by route; null if a guard has not let the request pass.
 */
async function runRoutes({ matches, args }: Visit): Promise<Results | null> {
  for (const { route } of matches) {
    for (const guard of route.middleware ?? []) if (!(await passes(guard, args))) return null;
  }
  args.request.signal.throwIfAborted();
  const startedAtMs = performance.now();
  const results: Results = {};
  // In the order of the routes, and not in that in which loaders end.
  for (const { route } of matches) if (route.loader !== undefined) results[route.id] = NO_RESULT;
  await untilAborted(
    args.request.signal,
    Promise.all(
      matches.map(async ({ route: { id, loader } }) => {
        if (typeof loader === "function")
          results[id] = await inSpan(`loader ${id}`, () => resultFrom(() => loader(args)));
      }),
    ),
  );
  measurePagePart("loaders", startedAtMs);
  return results;
}

const NO_RESULT: DataStrategyResult = { type: "data", result: undefined };
/** What a guard gets from `next`. A guard that returns something else answers the request itself. */
const passed = new Response();

type Guard = NonNullable<RouteObject["middleware"]>[number];

/** True if the guard calls `next` once and returns its answer. Whatever else it does is left to the router. */
async function passes(guard: Guard, args: LoaderFunctionArgs): Promise<boolean> {
  let calls = 0;
  try {
    const answer = await guard(args, async () => {
      calls += 1;
      return passed;
    });
    return answer === passed && calls === 1;
  } catch {
    return false;
  }
}

async function resultFrom(load: () => unknown): Promise<DataStrategyResult> {
  try {
    return { type: "data", result: await load() };
  } catch (error) {
    return { type: "error", result: error };
  }
}

/** Waits for the loaders, but not once the client has left. */
async function untilAborted(signal: AbortSignal, loading: Promise<unknown>): Promise<void> {
  const left = Promise.withResolvers<never>();
  const leave = () => left.reject(signal.reason);
  signal.addEventListener("abort", leave, { once: true });
  // A loader may have taken so long to start that the client has left by now.
  if (signal.aborted) leave();
  try {
    await Promise.race([loading, left.promise]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

/** The result that the router itself would make of the loaders' results; null if it must decide what they mean. */
function resultOf(
  handler: Handler,
  { matches, search, args }: Visit,
  results: Results,
): StaticHandlerContext | null {
  const loaderData: Record<string, unknown> = {};
  for (const [id, { type, result }] of Object.entries(results)) {
    if (type === "error" || isAnswer(result)) return null;
    loaderData[id] = result;
  }
  const { pathname } = args.url;
  return {
    location: { pathname, search, hash: "", state: null, key: "default" },
    basename: "/",
    matches,
    loaderData,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    actionData: null,
    actionHeaders: {},
    _match: (location) => matchRoutes(handler.dataRoutes, location),
  };
}

/** True for a Response and for `data()`: they say more than the data itself. */
function isAnswer(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return value instanceof Response || ("type" in value && value.type === "DataWithResponseInit");
}

type Left = {
  request: Request;
  context: RouterContextProvider;
  render: Render;
  results: Results | null;
};

/** Lets react-router run the page. @param results of the loaders, if they have run already. */
async function leaveToRouter(
  handler: Handler,
  { request, context, render, results }: Left,
): Promise<Response> {
  const answer: unknown = await handler.query(request, {
    requestContext: context,
    ...(results === null ? {} : { dataStrategy: async () => results }),
    // Without it the router would silently skip the guards on the server.
    generateMiddlewareResponse: async (query) => {
      const result = await query(request);
      return result instanceof Response ? result : render(result);
    },
  });
  if (!(answer instanceof Response)) throw new TypeError("The router returned no response.");
  return answer;
}
