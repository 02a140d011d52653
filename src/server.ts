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
import { parsingJson } from "./http/parse-json.ts";
import { unknownPaths } from "./http/unknown-paths.ts";
import { leaderboardRoutes } from "./leaderboard/routes.ts";
import { mailRoutes } from "./mail/routes.ts";
import { notificationsRoutes } from "./notifications/routes.ts";
import { paymentsRoutes } from "./payments/routes.ts";
import { profilesRoutes } from "./profiles/routes.ts";
import { sessionsRoutes } from "./sessions/routes.ts";
import { type Dashboard, guardingDashboard } from "./sign-ins/guard-dashboard.ts";
import { handleRequest } from "./sign-ins/handle-request.ts";
import { signInRoutes } from "./sign-ins/routes.ts";
import { pages } from "./ssr/routes.ts";
import { storageRoutes } from "./storage/routes.ts";
import { usersRoutes } from "./users/routes.ts";
import { walletRoutes } from "./wallet/routes.ts";

const IDLE_TIMEOUT_S = 30;
/** Bun stops reading here. Our own, smaller bound answers politely before that. */
const REQUEST_BYTES_MAX = 8 * 1_048_576;

type Parts = { hub?: Hub; dashboard?: Dashboard };

/**
 * The whole server: every room's routes behind one door. It starts nothing and listens nowhere.
 * @param parts what the process has already: its sockets, and the queue dashboard where there is one.
 */
export function createServer(deps: Deps, { hub = createHub(deps), dashboard }: Parts = {}) {
  const server = new Elysia(options)
    .onError({ as: "global" }, ({ error, request }) => answerError(error, { request, log: deps.log }))
    .use(parsingJson())
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
  server.use(pages(deps, (request) => server.handle(request)));
  server.use(guardingDashboard(deps, dashboard));

  // Wrapped around last, so that it is the first that a request meets: pages come through it too.
  server.wrap((answer) => (request: Request) => {
    const peer = server.server?.requestIP(request)?.address ?? "";
    const address = clientAddress(request, peer, deps.env.trustedProxies);
    return handleRequest(deps, request, { address, answer });
  });
  return server;
}

export type Server = ReturnType<typeof createServer>;

const options = {
  // Every request goes through the door: none of Bun's own shortcuts past it.
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
