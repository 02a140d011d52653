import { Elysia } from "elysia";
import { apiRoutes } from "./api/routes.ts";
import type { Deps } from "./base/deps.ts";
import { blueprintsRoutes } from "./blueprints/routes.ts";
import { booksRoutes } from "./books/routes.ts";
import { createHub, type Hub } from "./cable/hub.ts";
import { cableRoutes, cableWebsocketOptions } from "./cable/routes.ts";
import { callsRoutes } from "./calls/routes.ts";
import { chatRoutes } from "./chat/routes.ts";
import { eventsRoutes } from "./events/routes.ts";
import { answerError } from "./http/answer-error.ts";
import { clientAddress } from "./http/client-address.ts";
import { healthRoutes } from "./http/health.ts";
import { jsonParser } from "./http/parse-json.ts";
import { unknownPaths } from "./http/unknown-paths.ts";
import { leaderboardRoutes } from "./leaderboard/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { notificationsRoutes } from "./notifications/routes.ts";
import { beginTrip } from "./page-trip/begin-trip.ts";
import { paymentsRoutes } from "./payments/routes.ts";
import { profilesRoutes } from "./profiles/routes.ts";
import { sessionsRoutes } from "./sessions/routes.ts";
import { type Dashboard, dashboardGuard } from "./sign-ins/guard-dashboard.ts";
import { handleRequest } from "./sign-ins/handle-request.ts";
import { signInRoutes } from "./sign-ins/routes.ts";
import { pages } from "./ssr/routes.ts";
import { storageRoutes } from "./storage/routes.ts";
import { usersRoutes } from "./users/routes.ts";
import { walletRoutes } from "./wallet/routes.ts";

const IDLE_TIMEOUT_S = 30;
/** Bun stops reading here. The smaller limits of refuseTooLarge answer 413 before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard };

/**
 * Creates the server: the routes of all rooms, wrapped by handleRequest. It starts nothing and does not listen.
 * @param parts the process's websocket hub, and the queue dashboard if there is one.
 */
export function createServer(deps: Deps, { hub = createHub(deps), dashboard }: Parts = {}) {
  const server = new Elysia(options)
    .onError({ as: "global" }, ({ error, request }) => answerError(error, { request, log: deps.log }))
    .use(jsonParser())
    .use(healthRoutes(deps))
    .use(mailRoutes(deps))
    .use(signInRoutes(deps))
    .use(usersRoutes(deps))
    .use(storageRoutes(deps))
    .use(notificationsRoutes(deps))
    .use(walletRoutes(deps))
    .use(paymentsRoutes(deps))
    .use(callsRoutes(deps))
    .use(leaderboardRoutes(deps))
    .use(chatRoutes(deps))
    .use(profilesRoutes(deps))
    .use(eventsRoutes(deps))
    .use(sessionsRoutes(deps))
    .use(blueprintsRoutes(deps))
    .use(booksRoutes(deps))
    .use(cableRoutes(deps, hub));
  server.use(apiRoutes());
  server.use(unknownPaths(() => server.routes));
  server.use(pages(deps));
  server.use(dashboardGuard(deps, dashboard));

  // Wrapped last, so it runs first for every request, including pages.
  server.wrap((handler) => (request: Request) => {
    const peer = server.server?.requestIP(request)?.address ?? "";
    const address = clientAddress(request, peer, deps.env.trustedProxies);
    beginTrip(deps, request);
    return handleRequest(deps, request, { address, handler });
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
