import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { RESENT_MAX } from "./contract.ts";
import {
  changeWebhookBody,
  deliveriesAnswer,
  deliveryAnswer,
  newWebhookBody,
  resendBody,
  resentAnswer,
  webhookAnswer,
  webhooksAnswer,
  webhookSecretAnswer,
} from "./schemas.ts";

const wrongAddress =
  "The address is not one that messages may be sent to: outside development it must be public, by https. Or a session does not exist.";

/** Addresses of other programs that receive what happens to events and sessions. For admins; access tokens do not open them. */
export const webhooksEndpoints = {
  listWebhooks: {
    route: "GET /api/v1/webhooks",
    summary: "Lists the webhooks",
    who: "admin",
    token: "none",
    answer: webhooksAnswer,
  },
  createWebhook: {
    route: "POST /api/v1/webhooks",
    summary: "Adds a webhook",
    notes:
      "`secret` signs its messages, and is in this answer only. `sessions` names the sessions that it is told about, by slug or id; without it: all that are not private. A private session is told only to a webhook that names it. `kinds` names the kinds of messages; without it: all. `format`: `json` sends what the cable broadcasts, `discord` and `slack` the same facts as a message in a chat.",
    who: "admin",
    rate: rates.changeWebhook,
    body: { webhook: newWebhookBody },
    answer: webhookSecretAnswer,
    creates: true,
    refusals: { invalid: wrongAddress },
  },
  changeWebhook: {
    route: "PATCH /api/v1/webhooks/:id",
    summary: "Renames a webhook, changes its address, format, sessions or kinds, or switches it off or on",
    notes:
      "Switched off it receives nothing, and what waits for it is dropped. Switched on it receives what happens from then on. `sessions` and `kinds` replace the ones before; what waits is sent only if the webhook is told about it when it is sent.",
    who: "admin",
    rate: rates.changeWebhook,
    body: { webhook: changeWebhookBody },
    answer: webhookAnswer,
    refusals: { invalid: wrongAddress },
  },
  deleteWebhook: {
    route: "DELETE /api/v1/webhooks/:id",
    summary: "Deletes a webhook with its log",
    who: "admin",
  },
  rotateWebhookSecret: {
    route: "PUT /api/v1/webhooks/:id/secret",
    summary: "Gives a webhook a new secret",
    notes: "For 24 hours messages have a signature by the old secret too.",
    who: "admin",
    rate: rates.changeWebhook,
    answer: webhookSecretAnswer,
  },
  pingWebhook: {
    route: "POST /api/v1/webhooks/:id/ping",
    summary: "Sends a test to a webhook, once, also while it is off",
    who: "admin",
    rate: rates.changeWebhook,
    answer: deliveryAnswer,
    creates: true,
  },
  listWebhookDeliveries: {
    route: "GET /api/v1/webhooks/:id/deliveries",
    summary: "Lists what was sent to a webhook in the last 14 days, newest first",
    who: "admin",
    token: "none",
    paged: true,
    newestFirst: true,
    answer: deliveriesAnswer,
  },
  resendWebhookDeliveries: {
    route: "PUT /api/v1/webhooks/:id/resend",
    summary: "Sends the messages of a time to a webhook again",
    notes: `\`from\` counts and \`to\` does not; \`kind\` chooses one kind. Each is sent once more, in their order, at most ${RESENT_MAX} a request; what still waits, and tests, are left out. They have the ids and say what they said before.`,
    who: "admin",
    rate: rates.changeWebhook,
    body: { deliveries: resendBody },
    answer: resentAnswer,
    idempotent: true,
    refusals: { invalid: `These are more than ${RESENT_MAX} messages, or \`to\` is not after \`from\`.` },
  },
  resendWebhookDelivery: {
    route: "PUT /api/v1/webhook_deliveries/:id/resend",
    summary: "Sends a message to a webhook again, now",
    notes: "It has the id and says what it said before, in the format that the webhook has now.",
    who: "admin",
    rate: rates.changeWebhook,
    answer: deliveryAnswer,
  },
} as const satisfies Endpoints;
