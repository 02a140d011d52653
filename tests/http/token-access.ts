import type { Endpoint } from "#src/http/endpoint.ts";

// What access tokens open. These lists are independent of what the endpoints' records say (`token`): a new endpoint that changes
// something is expected to be closed, and a new one that reads is expected to be open to admins' programs.

/** The changes that run a show. */
const runRoutes = new Set([
  "POST /api/v1/events",
  "PATCH /api/v1/events/:id",
  "PATCH /api/v1/events/:id/state",
  "PUT /api/v1/events/:id/advance",
  "PUT /api/v1/events/:id/skip",
  "PUT /api/v1/events/:id/delay",
  "POST /api/v1/sessions",
  "PATCH /api/v1/sessions/:id",
  "PUT /api/v1/sessions/:id/activate",
  "PUT /api/v1/sessions/:id/deactivate",
  "PUT /api/v1/sessions/:id/start",
  "PUT /api/v1/sessions/:id/pause",
  "PUT /api/v1/sessions/:id/resume",
  "PUT /api/v1/sessions/:id/stop",
  "PUT /api/v1/sessions/:id/take_back_start",
  "PUT /api/v1/sessions/:id/take_back_stop",
  "PUT /api/v1/sessions/:id/join_code",
  "PUT /api/v1/sessions/:id/stage_leaders",
  "PUT /api/v1/sessions/:id/players/:userId/team",
  "POST /api/v1/sessions/:id/events/batch_update_positions",
  "POST /api/v1/blueprints/:id/generate_session",
]);

/** What hosts are about to decide is only for programs that could decide it. */
const runReads = new Set(["GET /api/v1/sessions/:id/hosts"]);

/** Reads of people, their money, and the product's secrets. */
const closedReads = new Set([
  "GET /api/v1/users",
  "GET /api/v1/users/:id",
  "GET /api/v1/users/me",
  "GET /api/v1/users/me/account",
  "GET /api/v1/users/me/access_tokens",
  "GET /api/v1/users/me/export.json",
  "GET /api/v1/users/me/passkeys",
  "GET /api/v1/users/:id/notifications",
  "GET /api/v1/users/:id/push_subscriptions",
  "GET /api/v1/users/:id/records",
  "GET /api/v1/users/:id/results",
  "GET /api/v1/users/:id/wallet",
  "GET /api/v1/transactions",
  "GET /api/v1/audit",
  "GET /api/v1/audit.csv",
  "GET /api/v1/switches",
  "GET /api/v1/invitations",
  "GET /api/v1/transactions.csv",
  "GET /api/v1/payments",
  "GET /api/v1/payments/:reference",
  "GET /api/v1/shares",
  "GET /api/v1/spending",
  "GET /api/v1/spending/statement",
  "GET /api/v1/spending/statement.csv",
  "GET /api/v1/webhooks",
  "GET /api/v1/webhooks/:id/deliveries",
  "GET /api/v1/sessions/:id/docks",
  // Who has the link keeps it when the token is revoked.
  "GET /api/v1/sessions/:id/stage_link",
  "GET /api/v1/sessions/:id/session_hosts",
]);

/** The scope that opens an endpoint; null: no token does. Public endpoints do not ask who calls. */
export function expectedScope({ route, who }: Endpoint): "read" | "run" | "public" | null {
  if (who === "public") return route.startsWith("GET /oembed") ? null : "public";
  if (runRoutes.has(route) || runReads.has(route)) return "run";
  return route.startsWith("GET /api/v1/") && !closedReads.has(route) ? "read" : null;
}

/** What the link of a dock opens, of its own session alone. */
export const dockRoutes = new Set([
  "GET /api/v1/sessions/:id/dock",
  "PUT /api/v1/sessions/:id/start",
  "PUT /api/v1/sessions/:id/pause",
  "PUT /api/v1/sessions/:id/resume",
  "PUT /api/v1/sessions/:id/stop",
  "PUT /api/v1/sessions/:id/take_back_start",
  "GET /api/v1/events/:id",
  "GET /api/v1/events/:id/preview",
  "PUT /api/v1/events/:id/advance",
  "PUT /api/v1/events/:id/skip",
  "PUT /api/v1/events/:id/delay",
  "PATCH /api/v1/events/:id/state",
]);

/** All routes that the lists name, for the test that each of them exists. */
export const namedRoutes: readonly string[] = [...runRoutes, ...runReads, ...closedReads, ...dockRoutes];
