import type { Statement } from "./statements.ts";

const client = "tests/client/api.test.ts";
const onServer = "tests/client/api-on-server.test.ts";
const signInAndPlay =
  "a page signs in, plays and signs out with the token of the page and then of the last answer";
const requestHeaders = "is JSON with keys in snake_case, however deep, with cookies and the page's token";
const protocol = "tests/cable/protocol.test.ts";
const channels = "tests/cable/channels.test.ts";

/** The statements of chapter 7 of the specification, the requests of the app, by number. */
export const callStatements: Readonly<Record<string, Statement>> = {
  "7.00": { says: "every request sends JSON", test: [client, requestHeaders] },
  "7.001": { says: "with credentials", test: [onServer, signInAndPlay] },
  "7.002": { says: "and the anti-forgery token in a header", test: [client, requestHeaders] },
  "7.003": {
    says: "the first token is in the page",
    test: ["tests/client/page.test.ts", "the app starts from the page's metadata"],
  },
  "7.004": {
    says: "later tokens come with the answers, also after a sign-in without loading the page",
    test: [onServer, signInAndPlay],
  },
  "7.01": { says: "POST /api/v1/payments", endpoint: "createPayment" },
  "7.02": { says: "POST /api/v1/payments/webhooks", endpoint: "receiveWebhook" },
  "7.03": {
    says: "GET /api/v1/users/me returns the user with the calls",
    test: [
      "tests/profiles/routes.test.ts",
      "the own profile has the wallet, the calls newest first, and the joined sessions",
    ],
  },
  "7.04": { says: "GET /api/v1/users", endpoint: "listUsers" },
  "7.05": { says: "GET /api/v1/users/:id", endpoint: "showProfile" },
  "7.06": { says: "PATCH /api/v1/users/:id", endpoint: "updateProfile" },
  "7.07": { says: "GET /api/v1/users/:id/notifications", endpoint: "listNotifications" },
  "7.08": { says: "DELETE /api/v1/users/:id/notifications", endpoint: "clearNotifications" },
  "7.09": { says: "GET /api/v1/users/:id/results", endpoint: "listResults" },
  "7.10": { says: "GET /api/v1/users/:id/wallet", endpoint: "showWallet" },
  "7.11": { says: "GET /api/v1/transactions", endpoint: "listTransactions" },
  "7.12": { says: "PATCH /api/v1/events/:id/state", endpoint: "changeEventState" },
  "7.13": { says: "PUT /api/v1/events/:id/advance", endpoint: "advanceEvent" },
  "7.14": { says: "PUT /api/v1/events/:id/skip", endpoint: "skipEvent" },
  "7.15": { says: "PUT /api/v1/events/:id/delay", endpoint: "delayEvent" },
  "7.16": { says: "GET /api/v1/events", endpoint: "listAllEvents" },
  "7.17": { says: "POST /api/v1/events", endpoint: "createEvent" },
  "7.18": { says: "PATCH /api/v1/events/:id", endpoint: "updateEvent" },
  "7.19": { says: "DELETE /api/v1/events/:id", endpoint: "destroyEvent" },
  "7.20": { says: "POST /api/v1/blueprint_events/batch_update_positions", endpoint: "updatePositions" },
  "7.21": { says: "POST /api/v1/blueprint_events", endpoint: "createBlueprintEvent" },
  "7.22": { says: "GET /api/v1/blueprint_events/:id", endpoint: "showBlueprintEvent" },
  "7.23": { says: "PATCH /api/v1/blueprint_events/:id", endpoint: "updateBlueprintEvent" },
  "7.24": { says: "DELETE /api/v1/blueprint_events/:id", endpoint: "destroyBlueprintEvent" },
  "7.25": { says: "POST /api/v1/blueprints/:id/generate_session", endpoint: "generateSession" },
  "7.26": { says: "GET /api/v1/blueprints", endpoint: "listBlueprints" },
  "7.27": { says: "POST /api/v1/blueprints", endpoint: "createBlueprint" },
  "7.28": { says: "GET /api/v1/blueprints/new", endpoint: "offerNewBlueprint" },
  "7.29": { says: "GET /api/v1/blueprints/:id/edit", endpoint: "offerBlueprint" },
  "7.30": { says: "GET /api/v1/blueprints/:id", endpoint: "showBlueprint" },
  "7.31": { says: "PATCH /api/v1/blueprints/:id", endpoint: "updateBlueprint" },
  "7.32": { says: "DELETE /api/v1/blueprints/:id", endpoint: "destroyBlueprint" },
  "7.33": { says: "PUT /api/v1/sessions/:id/activate", endpoint: "activateSession" },
  "7.34": { says: "PUT /api/v1/sessions/:id/deactivate", endpoint: "deactivateSession" },
  "7.35": { says: "PUT /api/v1/sessions/:id/pause", endpoint: "pauseSession" },
  "7.36": { says: "PUT /api/v1/sessions/:id/resume", endpoint: "resumeSession" },
  "7.37": { says: "PUT /api/v1/sessions/:id/start", endpoint: "startSession" },
  "7.38": { says: "PUT /api/v1/sessions/:id/stop", endpoint: "stopSession" },
  "7.39": { says: "GET /api/v1/sessions", endpoint: "listSessions" },
  "7.40": { says: "POST /api/v1/sessions", endpoint: "createSession" },
  "7.41": { says: "GET /api/v1/sessions/:id", endpoint: "showSession" },
  "7.42": { says: "PATCH /api/v1/sessions/:id", endpoint: "updateSession" },
  "7.43": { says: "DELETE /api/v1/sessions/:id", endpoint: "destroySession" },
  "7.44": { says: "GET /api/v1/sessions/:id/events", endpoint: "listEvents" },
  "7.45": { says: "GET /api/v1/sessions/:id/events/:eventId", endpoint: "showSessionEvent" },
  "7.46": { says: "POST /api/v1/sessions/:id/registrations", endpoint: "registerPlayer" },
  "7.47": { says: "GET /api/v1/sessions/:id/registrations/:registrationId", endpoint: "showRegistration" },
  "7.48": { says: "GET /api/v1/messages", endpoint: "listMessages" },
  "7.49": { says: "GET /api/v1/calls", endpoint: "listCalls" },
  "7.50": {
    says: "POST /api/v1/calls with spot, user and a default wager of 1",
    test: [onServer, signInAndPlay],
  },
  "7.51": { says: "DELETE /api/v1/calls/:id", endpoint: "cancelCall" },
  "7.52": { says: "GET /api/v1/scores/leaders", endpoint: "listLeaders" },
  "7.53": { says: "GET /api/v1/scores", endpoint: "listScores" },
  "7.54": { says: "GET /api/v1/storage/blobs/:signedId/*", endpoint: "showBlob" },
  "7.55": { says: "POST /api/v1/storage/direct_uploads", endpoint: "announceUpload" },
  "7.56": {
    says: "DELETE /users/sign_out with the token",
    test: [
      "tests/sign-ins/sign-out.test.ts",
      "a sign-out without an anti-forgery token is refused, and the sign-in stays valid until one with it",
    ],
    also: [
      "tests/client/users/sign-out.test.ts",
      "a page signs out by DELETE with its token, and leads to the sign-in page",
    ],
  },
  "7.57": {
    says: "which leads to the sign-in page",
    test: [
      "tests/client/users/sign-out.test.ts",
      "a page signs out by DELETE with its token, and leads to the sign-in page",
    ],
    also: [
      "tests/ssr/sign-in.test.ts",
      "signing out by form ends the sign-in and redirects to the sign-in page",
    ],
  },
  "7.58": {
    says: "a session is named by its slug or its id",
    test: ["tests/sessions/routes.test.ts", "finds by slug and by id, with its counts"],
  },
  "7.60": {
    says: "a websocket at /cable",
    test: ["tests/cable/handshake.test.ts", "for the offer %p is %p"],
  },
  "7.61": {
    says: "or at the URL in the page's metadata",
    test: [
      "tests/client/cable-address.test.tsx",
      "a page with the address %s in its metadata connects to %s",
    ],
  },
  "7.62": {
    says: "in actioncable-v1-json",
    test: ["tests/cable/handshake.test.ts", "for the offer %p is %p"],
  },
  "7.63": {
    says: "SessionsChannel with an id",
    test: [
      channels,
      "guests and players subscribe by id or slug, and get messages under the identifier they sent",
    ],
  },
  "7.64": {
    says: "UserChannel with the user's own gid",
    test: [
      channels,
      "a player subscribes to the UserChannel with the own gid, and gets the own messages only",
    ],
    also: [
      "tests/client/cable-address.test.tsx",
      "a page subscribes to the UserChannel with its user's own gid",
    ],
  },
  "7.65": {
    says: "messages carry sourceType",
    test: [protocol, "a message of the schema arrives unchanged"],
  },
  "7.66": { says: "eventType", test: [protocol, "a message of the schema arrives unchanged"] },
  "7.67": { says: "and detail", test: [protocol, "a message of the schema arrives unchanged"] },
  "7.68": {
    says: "the client subscribes",
    test: [protocol, "a subscription is confirmed, and its messages arrive unchanged and in order"],
  },
  "7.69": { says: "unsubscribes", test: [protocol, "gets no answer, and no more messages arrive"] },
  "7.70": {
    says: "and sends messages",
    test: [
      "tests/cable/send-message.test.ts",
      "a chat message reaches all accounts in all processes, and no guest",
    ],
  },
  "7.71": {
    says: "the server sends welcome",
    test: [protocol, "the first frame is the welcome, also if commands are sent at once"],
  },
  "7.72": {
    says: "disconnect, with a reason and whether to reconnect",
    test: ["tests/cable/disconnect.test.ts", "%s, and its socket cannot reconnect"],
    also: ["tests/client/stay-away.test.ts", "after it was connected: %s"],
  },
  "7.73": {
    says: "ping",
    test: ["tests/cable/sockets.test.ts", "pings carry the Unix time in whole seconds, after the welcome"],
  },
  "7.74": {
    says: "confirm_subscription",
    test: [protocol, "each spelling of an identifier is a subscription of its own and is returned unchanged"],
  },
  "7.75": {
    says: "reject_subscription",
    test: [channels, "a subscription is rejected, and no message arrives, for"],
  },
  "7.76": {
    says: "unauthorized",
    test: ["tests/cable/handshake.test.ts", "that %s gets a disconnect without reconnect, and no welcome"],
    also: ["tests/client/stay-away.test.ts", "leads to the sign-in page, with the way back"],
  },
  "7.77": {
    says: "invalid_request",
    test: [
      "tests/cable/handshake.test.ts",
      "a handshake whose query cannot be read gets a disconnect without reconnect, and no welcome:",
    ],
  },
  "7.78": {
    says: "server_restart",
    test: [
      "tests/cable/disconnect.test.ts",
      "all clients get a disconnect with reconnect, and new connections are refused",
    ],
  },
  "7.79": {
    says: "remote",
    test: [
      "tests/cable/disconnect.test.ts",
      "all sockets of the user are closed, in every process, and no others",
    ],
  },
};
