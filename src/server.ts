import { Elysia } from "elysia";
import { Memoirist } from "memoirist";
import { answerUnknown, lacksHost, refuseWithoutHost, withReadableHost } from "#src/http/answer-error.ts";
import { DASHBOARD_PATH, isDashboardPath } from "#src/http/request-context.ts";
import { files } from "#src/pages/ssr/assets.ts";
import { beginPage } from "#src/pages/ssr/render-page.tsx";
import { sitePageRoute } from "#src/pages/ssr/site-page.tsx";
import { apiRoutes } from "./api/routes.ts";
import type { Deps } from "./base/deps.ts";
import { booksRoutes } from "./books/routes.ts";
import { dryRunsRoutes } from "./dry-runs/routes.ts";
import { closeConnection, type Draining } from "./http/draining.ts";
import { receiveRequest } from "./http/receive-request.ts";
import type { RequestContext } from "./http/request-context.ts";
import { cableHandler, cableWebsocketOptions, isCableRequest } from "./live/cable/accept-connection.ts";
import { createHub, type Hub } from "./live/cable/hub.ts";
import { reactionsRoutes } from "./live/reactions/routes.ts";
import { mailEndpoints } from "./mail/endpoints.ts";
import { mailHandlers } from "./mail/routes.ts";
import { paymentsRoutes } from "./money/payments/routes.ts";
import { spendingRoutes } from "./money/spending/routes.ts";
import { walletRoutes } from "./money/wallet/routes.ts";
import { siteAuditRoutes } from "./operate/audit/routes.ts";
import { answerLook } from "./operate/checks/look-outside.ts";
import { sessionHealthRoutes } from "./operate/health/routes.ts";
import { healthRoutes } from "./operate/metrics/health.ts";
import { metricsRoutes } from "./operate/metrics/routes.ts";
import { operationsRoutes } from "./operate/operations/routes.ts";
import { switchesRoutes } from "./operate/switches/routes.ts";
import { beginSessionRead } from "./pages/page-read/begin-session-read.ts";
import { accessTokensRoutes } from "./people/access-tokens/routes.ts";
import { invitationsRoutes } from "./people/invitations/routes.ts";
import { notificationsRoutes } from "./people/notifications/routes.ts";
import { providerRoute } from "./people/oidc/provider-route.ts";
import { passkeysRoutes } from "./people/passkeys/routes.ts";
import { facesRoutes } from "./people/pictures/routes.ts";
import { pushRoutes } from "./people/push/routes.ts";
import { endpointRoute } from "./people/sign-ins/answer-endpoint.ts";
import { type Dashboard, guardDashboard } from "./people/sign-ins/guard-dashboard.ts";
import { handleRequest, type Route } from "./people/sign-ins/handle-request.ts";
import { signInRoutes } from "./people/sign-ins/routes.ts";
import {
  createEndpointTable,
  type EndpointTable,
  findEndpoint,
  methodsOf,
  type ServedEndpoint,
  serveEndpoints,
} from "./people/sign-ins/serve-endpoints.ts";
import { signInTokens } from "./people/sign-ins/sign-in-cookie.ts";
import { storageRoutes } from "./people/storage/routes.ts";
import { usersRoutes } from "./people/users/routes.ts";
import { callsRoutes } from "./play/calls/routes.ts";
import { chatRoutes } from "./play/chat/routes.ts";
import { leaderboardRoutes } from "./play/leaderboard/routes.ts";
import { seasonsRoutes } from "./play/seasons/routes.ts";
import { teamsRoutes } from "./play/teams/routes.ts";
import { profilesRoutes } from "./profiles/routes.ts";
import { replaysRoutes } from "./replays/routes.ts";
import { sharesRoutes } from "./shares/routes.ts";
import { blueprintsRoutes } from "./show/blueprints/routes.ts";
import { brandsRoutes } from "./show/brands/routes.ts";
import { docksRoutes } from "./show/docks/routes.ts";
import { embedsRoutes } from "./show/embeds/routes.ts";
import { eventsRoutes } from "./show/events/routes.ts";
import { frontDoorRoutes } from "./show/front-door/routes.ts";
import { hostingRoutes } from "./show/hosting/routes.ts";
import { joinCodesRoutes } from "./show/join-codes/routes.ts";
import { remindersRoutes } from "./show/reminders/routes.ts";
import { resultsSheetRoutes } from "./show/results-sheet/routes.ts";
import { sessionHostsRoutes } from "./show/session-hosts/routes.ts";
import { sessionsRoutes } from "./show/sessions/routes.ts";
import { stageRoutes } from "./show/stage/routes.ts";
import { webhooksRoutes } from "./webhooks/routes.ts";

/** Longer than proxies keep an unused connection (60 s), so that none sends a request on one that is being closed. */
const IDLE_TIMEOUT_S = 75;
/** Bun stops reading here. The smaller limits (http/read-body.ts) answer 413 before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard; draining?: Draining };

function endpointsOf(deps: Deps, hub: Hub): ServedEndpoint[] {
  return [
    ...serveEndpoints(mailEndpoints, mailHandlers(deps)),
    ...rooms.flatMap((serve) => serve(deps)),
    ...sessionHealthRoutes(deps, hub),
  ];
}

const rooms: readonly ((deps: Deps) => ServedEndpoint[])[] = [
  signInRoutes,
  usersRoutes,
  passkeysRoutes,
  accessTokensRoutes,
  invitationsRoutes,
  storageRoutes,
  facesRoutes,
  notificationsRoutes,
  pushRoutes,
  walletRoutes,
  spendingRoutes,
  paymentsRoutes,
  callsRoutes,
  leaderboardRoutes,
  seasonsRoutes,
  teamsRoutes,
  chatRoutes,
  profilesRoutes,
  brandsRoutes,
  eventsRoutes,
  sessionsRoutes,
  sessionHostsRoutes,
  stageRoutes,
  docksRoutes,
  embedsRoutes,
  frontDoorRoutes,
  joinCodesRoutes,
  remindersRoutes,
  blueprintsRoutes,
  resultsSheetRoutes,
  hostingRoutes,
  dryRunsRoutes,
  sharesRoutes,
  replaysRoutes,
  booksRoutes,
  siteAuditRoutes,
  switchesRoutes,
  operationsRoutes,
  webhooksRoutes,
  reactionsRoutes,
  apiRoutes,
];

/**
 * Creates the server: the endpoints of all rooms, the pages and the cable, behind handleRequest. Elysia listens, and answers what is the
 * same for everybody: health checks and files. It starts nothing and does not listen.
 * @param parts the process's websocket hub, the queue dashboard if there is one, and whether the process drains.
 */
export function createServer(deps: Deps, parts: Parts = {}) {
  const { hub = createHub(deps), dashboard, draining = { ending: null } } = parts;
  const endpoints = createEndpointTable(endpointsOf(deps, hub));
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
