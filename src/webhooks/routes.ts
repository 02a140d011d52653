import type { Deps } from "#src/base/deps.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { pingWebhook, resendDeliveries, resendDelivery } from "./deliver-webhook.ts";
import { webhooksEndpoints } from "./endpoints.ts";
import { listDeliveries, listWebhooks } from "./find-webhook.ts";
import { changeWebhook, createWebhook, deleteWebhook, rotateSecret } from "./manage-webhooks.ts";

export function webhooksRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(webhooksEndpoints, {
    listWebhooks: ({ now }) => listWebhooks(db, now),
    createWebhook: ({ viewer, body, keyed, now }) =>
      createWebhook(deps, { ...body.webhook, actor: viewer, now }, keyed),
    changeWebhook: async ({ viewer, params, body, now }) => ({
      webhook: await changeWebhook(deps, { id: params.id, actor: viewer, now, changes: body.webhook }),
    }),
    deleteWebhook: ({ viewer, params }) => deleteWebhook(deps, { id: params.id, actor: viewer }),
    rotateWebhookSecret: ({ viewer, params, now }) =>
      rotateSecret(deps, { id: params.id, actor: viewer, now }),
    pingWebhook: async ({ params, keyed, now }) => ({
      delivery: await pingWebhook(deps, { id: params.id, now }, keyed),
    }),
    listWebhookDeliveries: ({ params, page, now }) => listDeliveries(db, { webhookId: params.id, page }, now),
    resendWebhookDeliveries: async ({ viewer, params, body, keyed }) => {
      const range = { webhookId: params.id, ...body.deliveries };
      return { deliveries: { resent: await resendDeliveries(deps, { ...range, actor: viewer }, keyed) } };
    },
    resendWebhookDelivery: async ({ params }) => ({ delivery: await resendDelivery(deps, params.id) }),
  });
}
