import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import {
  createPaymentBody,
  paymentAnswer,
  testOutcomeBody,
  WEBHOOKS_PATH,
  webhookAnswer,
} from "./contract.ts";

/** Paying in: begun by the player, ended by what the provider says. */
export const paymentsEndpoints = {
  receiveWebhook: {
    method: "POST",
    path: WEBHOOKS_PATH,
    summary: "Takes a message of the payment provider",
    notes:
      'For the provider alone. The signature is over the very bytes of the body: `X-Payment-Signature: t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`, or Stripe\'s own header. A message that comes again changes nothing.',
    who: "public",
    answer: webhookAnswer,
  },
  createPayment: {
    method: "POST",
    path: "/api/v1/payments",
    summary: "Begins to pay in",
    notes: "The player pays at the answer's `checkoutUrl`; the wallet moves when the provider says so.",
    who: "account",
    rate: rates.pay,
    body: { payment: createPaymentBody },
    answer: paymentAnswer,
    status: 201,
    idempotent: true,
    refusals: { idempotency_key_reused: "The key belongs to another payment." },
  },
  showPayment: {
    method: "GET",
    path: "/api/v1/payments/:reference",
    summary: "Shows one of one's own payments",
    who: "account",
    params: { reference: "text" },
    answer: paymentAnswer,
  },
  endTestCheckout: {
    method: "POST",
    path: "/api/v1/payments/:reference/test",
    summary: "Ends the checkout of the test provider",
    notes: "Only where payments are tested; a real provider has a checkout of its own.",
    who: "account",
    params: { reference: "text" },
    body: { payment: testOutcomeBody },
    answer: paymentAnswer,
  },
} as const satisfies Endpoints;
