import * as v from "valibot";
import { parseBody, unsigned } from "./parse-webhook.ts";
import type { Provider } from "./provider.ts";
import { isSignedBy, SIGNATURE_HEADER } from "./signature.ts";

const webhook = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  type: v.picklist(["payment.succeeded", "payment.failed", "payment.refunded"]),
  data: v.object({
    reference: v.string(),
    amount_cents: v.pipe(v.number(), v.safeInteger()),
    currency: v.string(),
  }),
});
export type TestWebhook = v.InferOutput<typeof webhook>;

const types = {
  "payment.succeeded": "succeeded",
  "payment.failed": "failed",
  "payment.refunded": "refunded",
} as const;

/** The provider that takes no money: its checkout is a page of ours, where one click pays. */
export function createTestProvider(
  publicUrl: string,
  { webhookSecrets }: { webhookSecrets: readonly string[] },
): Provider {
  return {
    name: "test",
    beginCheckout: ({ reference }) => Promise.resolve(`${publicUrl}/checkout/${reference}`),
    readWebhook: async (body, headers) => {
      const signature = headers.get(SIGNATURE_HEADER);
      if (!isSignedBy(webhookSecrets, { body, signature, now: new Date() })) throw unsigned();
      const { id, type, data } = parseBody(webhook, body);
      const { reference, amount_cents: amountCents, currency } = data;
      return { messageId: id, type: types[type], reference, amountCents, currency };
    },
  };
}
