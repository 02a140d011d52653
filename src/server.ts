import { Elysia } from "elysia";
import { apiRoutes } from "./api/routes.ts";
import type { Deps } from "./base/deps.ts";
import { booksRoutes } from "./books/routes.ts";
import { dryRunsRoutes } from "./dry-runs/routes.ts";
import { answerError } from "./http/answer-error.ts";
import { closeConnection, type Draining } from "./http/draining.ts";
import { isPageRequest, pathOf } from "./http/page-request.ts";
import { jsonParser } from "./http/parse-json.ts";
import { receiveRequest } from "./http/receive-request.ts";
import { unknownPaths } from "./http/unknown-paths.ts";
import { lacksHost, refuseWithoutHost, withReadableHost } from "./http/without-host.ts";
import { cableHandler, cableWebsocketOptions, isCableRequest } from "./live/cable/accept-connection.ts";
import { createHub, type Hub } from "./live/cable/hub.ts";
import { reactionsRoutes } from "./live/reactions/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { paymentsRoutes } from "./money/payments/routes.ts";
import { walletRoutes } from "./money/wallet/routes.ts";
import { sessionHealthRoutes } from "./operate/health/routes.ts";
import { healthRoutes } from "./operate/metrics/health.ts";
import { metricsRoutes } from "./operate/metrics/routes.ts";
import { operationsRoutes } from "./operate/operations/routes.ts";
import { beginSessionRead } from "./pages/page-read/begin-session-read.ts";
import { beginPage } from "./pages/ssr/begin-page.ts";
import { pages } from "./pages/ssr/routes.ts";
import { accessTokensRoutes } from "./people/access-tokens/routes.ts";
import { notificationsRoutes } from "./people/notifications/routes.ts";
import { passkeysRoutes } from "./people/passkeys/routes.ts";
import { facesRoutes } from "./people/pictures/routes.ts";
import { pushRoutes } from "./people/push/routes.ts";
import { findBodyMax } from "./people/sign-ins/endpoint-table.ts";
import { type Dashboard, dashboardGuard } from "./people/sign-ins/guard-dashboard.ts";
import { handleRequest } from "./people/sign-ins/handle-request.ts";
import { signInRoutes } from "./people/sign-ins/routes.ts";
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
/** Bun stops reading here. The smaller limits (http/body-limit.ts) answer 413 before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard; draining?: Draining };

/** The routes of the room people. */
function peopleRoutes(deps: Deps) {
  return new Elysia()
    .use(signInRoutes(deps))
    .use(usersRoutes(deps))
    .use(passkeysRoutes(deps))
    .use(accessTokensRoutes(deps))
    .use(storageRoutes(deps))
    .use(facesRoutes(deps))
    .use(notificationsRoutes(deps))
    .use(pushRoutes(deps));
}

/** The routes of the room play. */
function playRoutes(deps: Deps) {
  return new Elysia()
    .use(callsRoutes(deps))
    .use(leaderboardRoutes(deps))
    .use(seasonsRoutes(deps))
    .use(teamsRoutes(deps))
    .use(chatRoutes(deps));
}

/** The routes of the room show. */
function showRoutes(deps: Deps) {
  return new Elysia()
    .use(brandsRoutes(deps))
    .use(eventsRoutes(deps))
    .use(sessionsRoutes(deps))
    .use(sessionHostsRoutes(deps))
    .use(stageRoutes(deps))
    .use(frontDoorRoutes(deps))
    .use(joinCodesRoutes(deps))
    .use(remindersRoutes(deps))
    .use(blueprintsRoutes(deps))
    .use(resultsSheetRoutes(deps))
    .use(hostingRoutes(deps));
}

/**
 * Creates the server: the routes of all rooms and the cable, wrapped by handleRequest. It starts nothing and does not listen.
 * @param parts the process's websocket hub, the queue dashboard if there is one, and whether the process drains.
 */
export function createServer(deps: Deps, parts: Parts = {}) {
  const { hub = createHub(deps), dashboard, draining = { ending: null } } = parts;
  const server = new Elysia(options)
    .onError({ as: "global" }, ({ error, request }) => answerError(error, { request, log: deps.log }))
    .use(signInTokens(deps.env))
    .use(jsonParser((request) => findBodyMax(deps, request.method, pathOf(request))))
    .use(healthRoutes(deps, draining))
    .use(mailRoutes(deps))
    .use(peopleRoutes(deps))
    .use(walletRoutes(deps))
    .use(paymentsRoutes(deps))
    .use(playRoutes(deps))
    .use(profilesRoutes(deps))
    .use(showRoutes(deps))
    .use(dryRunsRoutes(deps))
    .use(sharesRoutes(deps))
    .use(replaysRoutes(deps))
    .use(booksRoutes(deps))
    .use(operationsRoutes(deps))
    .use(webhooksRoutes(deps))
    .use(reactionsRoutes(deps))
    .use(sessionHealthRoutes(deps, hub));
  server.use(metricsRoutes(deps, hub));
  server.use(apiRoutes());
  server.use(unknownPaths(() => server.routes));
  server.use(pages(deps));
  server.use(dashboardGuard(deps, dashboard));

  const cable = cableHandler({ deps, hub, server: () => server.server });
  // Wrapped last, so it runs first for every request, including pages.
  server.wrap((handler) => (received: Request) => {
    const peer = server.server === null ? "" : (server.server.requestIP(received)?.address ?? null);
    const request = withReadableHost(received);
    return receiveRequest(deps, request, {
      peer,
      answer: async () => {
        if (lacksHost(request)) return refuseWithoutHost(deps, request);
        const isCable = isCableRequest(request);
        if (isPageRequest(request)) beginPage(deps, request);
        else if (!isCable) beginSessionRead(deps, request);
        const response = await handleRequest(deps, request, isCable ? cable : handler);
        closeConnection(draining, response);
        return response;
      },
    });
  });
  return server;
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
