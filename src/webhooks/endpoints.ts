import { rates } from "#src/http/rates.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { RESENT_MAX } from "./contract.ts";
import { pingWebhook, resendDeliveries, resendDelivery } from "./deliver-webhook.ts";
import { listDeliveries, listWebhooks } from "./find-webhook.ts";
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from "./manage-webhooks.ts";
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
  listWebhooks: endpoint({
    route: "GET /api/v1/webhooks",
    summary: "Lists the webhooks",
    who: "admin",
    token: "none",
    answer: webhooksAnswer,
    handle: (deps, { now }) => listWebhooks(deps.pool.db, now),
  }),
  createWebhook: endpoint({
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
    handle: (deps, { viewer, body, keyed, now }) =>
      createWebhook(deps, { ...body.webhook, actor: viewer, now }, keyed),
  }),
  changeWebhook: endpoint({
    route: "PATCH /api/v1/webhooks/:id",
    summary: "Renames a webhook, changes its address, format, sessions or kinds, or switches it off or on",
    notes:
      "Switched off it receives nothing, and what waits for it is dropped. Switched on it receives what happens from then on. `sessions` and `kinds` replace the ones before; what waits is sent only if the webhook is told about it when it is sent.",
    who: "admin",
    rate: rates.changeWebhook,
    body: { webhook: changeWebhookBody },
    answer: webhookAnswer,
    refusals: { invalid: wrongAddress },
    handle: async (deps, { viewer, params, body, now }) => ({
      webhook: await changeWebhook(deps, { id: params.id, actor: viewer, now, changes: body.webhook }),
    }),
  }),
  deleteWebhook: endpoint({
    route: "DELETE /api/v1/webhooks/:id",
    summary: "Deletes a webhook with its log",
    who: "admin",
    handle: (deps, { viewer, params }) => deleteWebhook(deps, { id: params.id, actor: viewer }),
  }),
  rotateWebhookSecret: endpoint({
    route: "PUT /api/v1/webhooks/:id/secret",
    summary: "Gives a webhook a new secret",
    notes: "For 24 hours messages have a signature by the old secret too.",
    who: "admin",
    rate: rates.changeWebhook,
    answer: webhookSecretAnswer,
    handle: (deps, { viewer, params, now }) => rotateSecret(deps, { id: params.id, actor: viewer, now }),
  }),
  pingWebhook: endpoint({
    route: "POST /api/v1/webhooks/:id/ping",
    summary: "Sends a test to a webhook, once, also while it is off",
    who: "admin",
    rate: rates.changeWebhook,
    answer: deliveryAnswer,
    creates: true,
    handle: async (deps, { params, keyed, now }) => ({
      delivery: await pingWebhook(deps, { id: params.id, now }, keyed),
    }),
  }),
  listWebhookDeliveries: endpoint({
    route: "GET /api/v1/webhooks/:id/deliveries",
    summary: "Lists what was sent to a webhook in the last 14 days, newest first",
    who: "admin",
    token: "none",
    paged: true,
    newestFirst: true,
    answer: deliveriesAnswer,
    handle: (deps, { params, page, now }) =>
      listDeliveries(deps.pool.db, { webhookId: params.id, page }, now),
  }),
  resendWebhookDeliveries: endpoint({
    route: "PUT /api/v1/webhooks/:id/resend",
    summary: "Sends the messages of a time to a webhook again",
    notes: `\`from\` counts and \`to\` does not; \`kind\` chooses one kind. Each is sent once more, in their order, at most ${RESENT_MAX} a request; what still waits, and tests, are left out. They have the ids and say what they said before.`,
    who: "admin",
    rate: rates.changeWebhook,
    body: { deliveries: resendBody },
    answer: resentAnswer,
    idempotent: true,
    refusals: { invalid: `These are more than ${RESENT_MAX} messages, or \`to\` is not after \`from\`.` },
    handle: async (deps, { viewer, params, body, keyed }) => {
      const range = { webhookId: params.id, ...body.deliveries };
      return { deliveries: { resent: await resendDeliveries(deps, { ...range, actor: viewer }, keyed) } };
    },
  }),
  resendWebhookDelivery: endpoint({
    route: "PUT /api/v1/webhook_deliveries/:id/resend",
    summary: "Sends a message to a webhook again, now",
    notes: "It has the id and says what it said before, in the format that the webhook has now.",
    who: "admin",
    rate: rates.changeWebhook,
    answer: deliveryAnswer,
    handle: async (deps, { params }) => ({ delivery: await resendDelivery(deps, params.id) }),
  }),
};
