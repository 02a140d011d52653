import { Elysia } from "elysia";
import { accessTokensRoutes } from "./access-tokens/routes.ts";
import { apiRoutes } from "./api/routes.ts";
import type { Deps } from "./base/deps.ts";
import { blueprintsRoutes } from "./blueprints/routes.ts";
import { booksRoutes } from "./books/routes.ts";
import { cableHandler, isCableRequest } from "./cable/accept-connection.ts";
import { createHub, type Hub } from "./cable/hub.ts";
import { cableWebsocketOptions } from "./cable/websocket-options.ts";
import { callsRoutes } from "./calls/routes.ts";
import { chatRoutes } from "./chat/routes.ts";
import { dryRunsRoutes } from "./dry-runs/routes.ts";
import { eventsRoutes } from "./events/routes.ts";
import { sessionHealthRoutes } from "./health/routes.ts";
import { hostingRoutes } from "./hosting/routes.ts";
import { answerError } from "./http/answer-error.ts";
import { closeConnection, type Draining } from "./http/draining.ts";
import { isPageRequest, pathOf } from "./http/page-request.ts";
import { jsonParser } from "./http/parse-json.ts";
import { receiveRequest } from "./http/receive-request.ts";
import { unknownPaths } from "./http/unknown-paths.ts";
import { leaderboardRoutes } from "./leaderboard/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { healthRoutes } from "./metrics/health.ts";
import { metricsRoutes } from "./metrics/routes.ts";
import { notificationsRoutes } from "./notifications/routes.ts";
import { operationsRoutes } from "./operations/routes.ts";
import { beginSessionRead } from "./page-trip/begin-session-read.ts";
import { passkeysRoutes } from "./passkeys/routes.ts";
import { paymentsRoutes } from "./payments/routes.ts";
import { profilesRoutes } from "./profiles/routes.ts";
import { pushRoutes } from "./push/routes.ts";
import { reactionsRoutes } from "./reactions/routes.ts";
import { replaysRoutes } from "./replays/routes.ts";
import { sessionsRoutes } from "./sessions/routes.ts";
import { sharesRoutes } from "./shares/routes.ts";
import { findBodyMax } from "./sign-ins/endpoint-table.ts";
import { type Dashboard, dashboardGuard } from "./sign-ins/guard-dashboard.ts";
import { handleRequest } from "./sign-ins/handle-request.ts";
import { signInRoutes } from "./sign-ins/routes.ts";
import { beginPage } from "./ssr/begin-page.ts";
import { pages } from "./ssr/routes.ts";
import { stageRoutes } from "./stage/routes.ts";
import { storageRoutes } from "./storage/routes.ts";
import { usersRoutes } from "./users/routes.ts";
import { walletRoutes } from "./wallet/routes.ts";
import { webhooksRoutes } from "./webhooks/routes.ts";

/** Longer than proxies keep an unused connection (60 s), so that none sends a request on one that is being closed. */
const IDLE_TIMEOUT_S = 75;
/** Bun stops reading here. The smaller limits (http/body-limit.ts) answer 413 before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard; draining?: Draining };

/**
 * Creates the server: the routes of all rooms and the cable, wrapped by handleRequest. It starts nothing and does not listen.
 * @param parts the process's websocket hub, the queue dashboard if there is one, and whether the process drains.
 */
export function createServer(deps: Deps, parts: Parts = {}) {
  const { hub = createHub(deps), dashboard, draining = { ending: null } } = parts;
  const server = new Elysia(options)
    .onError({ as: "global" }, ({ error, request }) => answerError(error, { request, log: deps.log }))
    .use(jsonParser((request) => findBodyMax(deps, request.method, pathOf(request))))
    .use(healthRoutes(deps, draining))
    .use(mailRoutes(deps))
    .use(signInRoutes(deps))
    .use(usersRoutes(deps))
    .use(passkeysRoutes(deps))
    .use(accessTokensRoutes(deps))
    .use(storageRoutes(deps))
    .use(notificationsRoutes(deps))
    .use(pushRoutes(deps))
    .use(walletRoutes(deps))
    .use(paymentsRoutes(deps))
    .use(callsRoutes(deps))
    .use(leaderboardRoutes(deps))
    .use(chatRoutes(deps))
    .use(profilesRoutes(deps))
    .use(eventsRoutes(deps))
    .use(sessionsRoutes(deps))
    .use(stageRoutes(deps))
    .use(blueprintsRoutes(deps))
    .use(dryRunsRoutes(deps))
    .use(sharesRoutes(deps))
    .use(replaysRoutes(deps))
    .use(booksRoutes(deps))
    .use(operationsRoutes(deps))
    .use(webhooksRoutes(deps))
    .use(reactionsRoutes(deps))
    .use(hostingRoutes(deps))
    .use(sessionHealthRoutes(deps, hub));
  server.use(metricsRoutes(deps, hub));
  server.use(apiRoutes());
  server.use(unknownPaths(() => server.routes));
  server.use(pages(deps));
  server.use(dashboardGuard(deps, dashboard));

  const cable = cableHandler({ deps, hub, server: () => server.server });
  // Wrapped last, so it runs first for every request, including pages.
  server.wrap((handler) => (request: Request) => {
    const peer = server.server?.requestIP(request)?.address ?? "";
    return receiveRequest(deps, request, {
      peer,
      answer: async () => {
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
  serve: {
    idleTimeout: IDLE_TIMEOUT_S,
    maxRequestBodySize: REQUEST_BYTES_MAX,
    reusePort: false,
    development: false,
  },
  websocket: cableWebsocketOptions,
};
