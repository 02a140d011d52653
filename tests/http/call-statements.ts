import type { Statement } from "./statement.ts";

const client = "tests/client/api.test.ts";
const onServer = "tests/client/api-on-server.test.ts";
const oneUser =
  "one page signs in, plays and signs out: its token is the page's at first, then that of the last answer";
const sent = "is JSON with keys in snake_case, however deep, with cookies and the page's token";
const protocol = "tests/cable/protocol.test.ts";
const channels = "tests/cable/channels.test.ts";
const reasons = "a disconnect says why (%s) and whether to come back (%p)";

/** What the specification says of the calls that the app makes (7), by number. */
export const callStatements: Readonly<Record<string, Statement>> = {
  "7.00": { says: "every call sends JSON", test: [client, sent] },
  "7.001": { says: "with credentials", test: [onServer, oneUser] },
  "7.002": { says: "and the anti-forgery token in a header", test: [client, sent] },
  "7.003": {
    says: "the token is the page's",
    test: ["tests/client/page.test.ts", "the app starts from the page's metadata"],
  },
  "7.004": {
    says: "or that of an answer, also after a sign-in without loading the page",
    test: [onServer, oneUser],
  },
  "7.01": { says: "POST /api/v1/payments", endpoint: "createPayment" },
  "7.02": { says: "POST /api/v1/payments/webhooks", endpoint: "receiveWebhook" },
  "7.03": {
    says: "GET /api/v1/users/me answers the user with the calls",
    test: [
      "tests/profiles/routes.test.ts",
      "one's own profile carries the wallet, the calls newest first, and the sessions joined",
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
    says: "POST /api/v1/calls with spot, user and a wager of 1 by default",
    test: [onServer, oneUser],
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
      "a sign-out without an anti-forgery token is refused, and the sign-in lives on",
    ],
  },
  "7.57": {
    says: "after which the sign-in page comes",
    test: ["tests/ssr/sign-in.test.ts", "signing out by form ends the sign-in and leads to the sign-in page"],
  },
  "7.58": {
    says: "a session is named by its slug or its id",
    test: ["tests/sessions/routes.test.ts", "finds by slug and by id, with what is counted around it"],
  },
  "7.60": { says: "a websocket at /cable", test: ["tests/cable/handshake.test.ts", "the subprotocol"] },
  "7.61": { says: "or where the page's metadata says", test: ["tests/ssr/page.test.ts", "in its meta tags"] },
  "7.62": {
    says: "in actioncable-v1-json",
    test: ["tests/cable/handshake.test.ts", "of the offer %p is %p"],
  },
  "7.63": {
    says: "SessionsChannel by an id",
    test: [
      channels,
      "a session is followed by id and by slug, by guests too, and each hears it under the own identifier",
    ],
  },
  "7.64": {
    says: "UserChannel by the own gid",
    test: [channels, "rejected, and nothing of it is ever heard:"],
  },
  "7.65": {
    says: "messages carry sourceType",
    test: [protocol, "a message of the contract arrives as it is"],
  },
  "7.66": { says: "eventType", test: [protocol, "a message of the contract arrives as it is"] },
  "7.67": { says: "and detail", test: [protocol, "a message of the contract arrives as it is"] },
  "7.68": {
    says: "the client subscribes",
    test: [protocol, "a subscription is confirmed and its messages come in order, each as it was published"],
  },
  "7.69": { says: "unsubscribes", test: [protocol, "is not answered, and nothing more comes"] },
  "7.70": {
    says: "and sends messages",
    test: [protocol, "what is not understood is ignored, and the connection stays:"],
  },
  "7.71": {
    says: "the server says welcome",
    test: [protocol, "the first frame is the welcome, also for commands that were sent at once"],
  },
  "7.72": {
    says: "disconnect, with a reason and whether to come back",
    test: ["tests/cable/frames.test.ts", reasons],
  },
  "7.73": {
    says: "ping",
    test: ["tests/cable/sockets.test.ts", "pings carry the Unix time in whole seconds, after the welcome"],
  },
  "7.74": {
    says: "confirm_subscription",
    test: [
      protocol,
      "the identifier comes back as it was spelled, and each spelling is a subscription of its own",
    ],
  },
  "7.75": { says: "reject_subscription", test: [channels, "rejected, and nothing of it is ever heard:"] },
  "7.76": {
    says: "unauthorized",
    test: ["tests/cable/handshake.test.ts", "and %s is told to stay away, without a welcome"],
  },
  "7.77": { says: "invalid_request", test: ["tests/cable/frames.test.ts", reasons] },
  "7.78": {
    says: "server_restart",
    test: [
      "tests/cable/disconnect.test.ts",
      "everybody is told to come back, within two seconds, and nobody new is let in",
    ],
  },
  "7.79": {
    says: "remote",
    test: [
      "tests/cable/disconnect.test.ts",
      "all sockets of the user go, in every process, and nobody else's",
    ],
  },
};
