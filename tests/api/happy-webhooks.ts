import * as v from "valibot";
import { deliveryAnswer, webhookSecretAnswer } from "#src/webhooks/schemas.ts";
import type { Fixture, Prepare } from "./fixture.ts";

const PATH = "/api/v1/webhooks";
// A port that nothing listens on: these requests only queue messages.
const body = { webhook: { name: "Scoreboard", url: "http://127.0.0.1:9/called-it" } };

async function withWebhook({ admin: { browser } }: Fixture) {
  const { body: answer } = await browser.send("POST", PATH, body);
  return { browser, params: { id: v.parse(webhookSecretAnswer, answer).webhook.id } };
}

async function withDelivery(fixture: Fixture) {
  const { browser, params } = await withWebhook(fixture);
  const { body: answer } = await browser.send("POST", `${PATH}/${params.id}/ping`);
  return { browser, params, delivery: v.parse(deliveryAnswer, answer).delivery };
}

export const happyWebhooks: Record<string, Prepare> = {
  listWebhooks: async (fixture) => ({ browser: (await withWebhook(fixture)).browser }),
  createWebhook: async ({ admin: { browser } }) => ({ browser, body }),
  changeWebhook: async (fixture) => ({
    ...(await withWebhook(fixture)),
    body: { webhook: { name: "Bot", format: "discord", enabled: false } },
  }),
  deleteWebhook: withWebhook,
  rotateWebhookSecret: withWebhook,
  pingWebhook: withWebhook,
  listWebhookDeliveries: async (fixture) => {
    const { browser, params } = await withDelivery(fixture);
    return { browser, params };
  },
  resendWebhookDelivery: async (fixture) => {
    const { browser, delivery } = await withDelivery(fixture);
    return { browser, params: { id: delivery.id } };
  },
};
