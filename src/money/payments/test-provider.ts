import * as v from "valibot";
import { malformed } from "#src/base/refusal.ts";
import { serverNow } from "#src/base/server-clock.ts";
import {
  ASKED,
  invalidSignature,
  isSignedBy,
  type Provider,
  SIGNATURE_HEADER,
  type WebhookMessage,
} from "./provider.ts";

const webhook = v.object({
  id: v.pipe(v.string(), v.nonEmpty(), v.maxLength(255)),
  type: v.picklist([
    "payment.succeeded",
    "payment.failed",
    "payment.refunded",
    "payment.refund_failed",
    "payment.disputed",
    "payment.reinstated",
  ]),
  data: v.object({
    reference: v.string(),
    amount_cents: v.pipe(v.number(), v.safeInteger()),
    currency: v.string(),
    /** Names the refund or dispute. Without it, the payment has one of each, over the whole amount. */
    chargeback: v.optional(v.pipe(v.string(), v.nonEmpty(), v.maxLength(255))),
  }),
});
export type TestWebhook = v.InferOutput<typeof webhook>;

const outcomes = { "payment.succeeded": "succeeded", "payment.failed": "failed" } as const;
const chargebackStates = {
  "payment.refunded": { cause: "refund", state: "taken" },
  "payment.refund_failed": { cause: "refund", state: "returned" },
  "payment.disputed": { cause: "dispute", state: "taken" },
  "payment.reinstated": { cause: "dispute", state: "returned" },
} as const;

/** A provider that takes no money: its checkout is a page of this app, where one click pays. */
export function createTestProvider(
  publicUrl: string,
  { webhookSecrets }: { webhookSecrets: readonly string[] },
): Provider {
  return {
    name: "test",
    beginCheckout: ({ reference }) => Promise.resolve(`${publicUrl}/checkout/${reference}`),
    readWebhook: async (body, headers) => {
      const signature = headers.get(SIGNATURE_HEADER);
      if (!isSignedBy(webhookSecrets, { body, signature, now: serverNow() })) throw invalidSignature();
      return messageOf(parseMessage(webhook, body));
    },
    notHeard: () => undefined,
    // Its page sends the message itself.
    checkMessages: () => Promise.resolve(),
    askAbout: ({ reference, amountCents }, { end }) => {
      const data = { reference, amount_cents: amountCents, currency: "USD" };
      const failed = messageOf({ id: `${ASKED}${reference}_failed`, type: "payment.failed", data });
      return Promise.resolve(end ? failed : null);
    },
    refund: ({ chargebackId, amountCents }) =>
      Promise.resolve({
        chargebackRef: `refund_${chargebackId}`,
        chargebackId,
        cause: "refund",
        state: "taken",
        amountCents,
        currency: "USD",
      }),
    check: () => Promise.resolve(),
    trouble: () => null,
  };
}

function messageOf({ id: messageId, type, data }: TestWebhook): WebhookMessage {
  const { reference, amount_cents: amountCents, currency } = data;
  // It serves this installation alone.
  const about = { messageId, reference, isMarked: true };
  const terms = { amountCents, currency };
  if (type === "payment.succeeded" || type === "payment.failed") {
    const outcome = { type: outcomes[type], ...terms, providerRef: null };
    return { ...about, outcome, chargebacks: [] };
  }
  const { cause, state } = chargebackStates[type];
  const chargebackRef = data.chargeback ?? cause;
  const chargeback = { cause, state, chargebackRef, chargebackId: null, ...terms };
  return { ...about, outcome: null, chargebacks: [chargeback] };
}

/**
 * Parses the body of a message.
 * @throws Refusal 400 for a body that is not JSON or does not match the schema.
 */
function parseMessage<S extends v.GenericSchema>(schema: S, body: string): v.InferOutput<S> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body);
  if (!parsed.success) throw malformed("The message is not one that we know.");
  return parsed.output;
}
