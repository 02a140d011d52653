import { Elysia } from "elysia";
import { Memoirist } from "memoirist";
import { answerUnknown, lacksHost, refuseWithoutHost, withReadableHost } from "#src/http/answer-error.ts";
import { DASHBOARD_PATH, isDashboardPath } from "#src/http/request-context.ts";
import { files } from "#src/pages/ssr/assets.ts";
import { beginPage } from "#src/pages/ssr/render-page.tsx";
import { sitePageRoute } from "#src/pages/ssr/site-page.tsx";
import { allEndpoints } from "./api/all-endpoints.ts";
import { otherEndpoints } from "./api/endpoints.ts";
import type { Deps } from "./base/deps.ts";
import { closeConnection, type Draining } from "./http/draining.ts";
import { receiveRequest } from "./http/receive-request.ts";
import type { RequestContext } from "./http/request-context.ts";
import { cableHandler, cableWebsocketOptions, isCableRequest } from "./live/cable/accept-connection.ts";
import { createHub, type Hub } from "./live/cable/hub.ts";
import { answerLook } from "./operate/checks/look-outside.ts";
import { healthRoutes } from "./operate/metrics/health.ts";
import { metricsRoutes } from "./operate/metrics/metrics.ts";
import { beginSessionRead } from "./pages/page-read/begin-session-read.ts";
import { providerRoute } from "./people/oidc/provider-route.ts";
import { endpointRoute } from "./people/sign-ins/answer-endpoint.ts";
import { type Dashboard, guardDashboard } from "./people/sign-ins/guard-dashboard.ts";
import { handleRequest, type Route } from "./people/sign-ins/handle-request.ts";
import {
  createEndpointTable,
  type EndpointTable,
  findEndpoint,
  methodsOf,
} from "./people/sign-ins/serve-endpoints.ts";
import { signInTokens } from "./people/sign-ins/sign-in-cookie.ts";

/** Longer than proxies keep an unused connection (60 s), so that none sends a request on one that is being closed. */
const IDLE_TIMEOUT_S = 75;
/** Bun stops reading here. The smaller limits (http/read-body.ts) answer 413 before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard; draining?: Draining };

/**
 * Creates the server: the endpoints of all rooms, the pages and the cable, behind handleRequest. Elysia listens, and answers what is the
 * same for everybody: health checks and files. It starts nothing and does not listen.
 * @param parts the process's websocket hub, the queue dashboard if there is one, and whether the process drains.
 */
export function createServer(deps: Deps, parts: Parts = {}) {
  const { hub = createHub(deps), dashboard, draining = { ending: null } } = parts;
  const endpoints = createEndpointTable([
    ...allEndpoints.map(({ endpoint }) => endpoint),
    ...Object.values(otherEndpoints),
  ]);
  const server = new Elysia(options)
    .decorate("endpoints", endpoints)
    // What answers all other errors answers these.
    .onError({ as: "global" }, ({ error }) => {
      throw error;
    })
    .use(signInTokens(deps.env))
    .use(healthRoutes(deps, draining))
    .use(metricsRoutes(deps, hub))
    .use(files());
  const plain = new Memoirist<string>();
  for (const { method, path } of server.routes) plain.add(method, path, path);
  const cable = cableHandler({ deps, hub, server: () => server.server });

  server.wrap((answerPlain) => (received: Request) => {
    const findRoute = (context: RequestContext): Route => {
      const { request, path } = context;
      context.endpoints = endpoints;
      context.hub = hub;
      if (isCableRequest(context)) return { pattern: "/cable", answer: () => cable(context) };
      const file = plain.find("GET", path.replace(/(?<=.)\/$/, ""));
      if (file === null) return routeOf(deps, context, { endpoints, dashboard });
      context.isPage = false;
      return {
        pattern: file.store,
        skipsSignIn: true,
        answer: async () => (await answerLook(deps, context)) ?? responseIn(answerPlain(request)),
      };
    };
    const peer = server.server === null ? "" : (server.server.requestIP(received)?.address ?? null);
    return receiveRequest(deps, withReadableHost(received), {
      peer,
      answer: async (context) => {
        if (lacksHost(context.request)) return refuseWithoutHost(deps, context);
        const response = await handleRequest(deps, context, findRoute);
        closeConnection(draining, response);
        return response;
      },
    });
  });
  return server;
}

/** What Elysia answers, of which its types say nothing. */
async function responseIn(answering: unknown): Promise<Response | undefined> {
  const answer = await answering;
  return answer instanceof Response ? answer : undefined;
}

/** What answers a request that is neither for the cable nor for a file: a page, an endpoint, or nothing. */
function routeOf(
  deps: Deps,
  context: RequestContext,
  { endpoints, dashboard }: { endpoints: EndpointTable; dashboard: Dashboard | undefined },
): Route {
  const { request, path, isPage } = context;
  const beside = providerRoute(deps, context) ?? sitePageRoute(deps, context);
  if (beside !== null) return beside;
  const found = isPage ? null : findEndpoint(endpoints, request.method, path);
  if (found !== null) {
    beginSessionRead(deps, context, found);
    return endpointRoute(deps, context, found);
  }
  const route = isPage
    ? beginPage(deps, context)
    : { answer: async () => answerUnknown(context, methodsOf(endpoints, path)) };
  if (!isDashboardPath(path)) return route;
  const answer = () => guardDashboard(deps, context, { dashboard, answerNothing: route.answer });
  return { ...route, answer, pattern: DASHBOARD_PATH };
}

const options = {
  // Bun's own router and static responses would bypass handleRequest.
  systemRouter: false,
  nativeStaticResponse: false,
  // Otherwise the path is looked for behind the first four letters of the host, and a host may be shorter. Addresses are those of
  // http: TLS ends before the product.
  handler: { standardHostname: false },
  serve: {
    idleTimeout: IDLE_TIMEOUT_S,
    maxRequestBodySize: REQUEST_BYTES_MAX,
    reusePort: false,
    development: false,
  },
  websocket: cableWebsocketOptions,
};
