import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { ownerQuery } from "#src/wallet/schemas.ts";
import { WEBHOOKS_PATH } from "./contract.ts";
import {
  closeFlagBody,
  createPaymentBody,
  paymentAnswer,
  paymentFlagAnswer,
  paymentsAnswer,
  refundBody,
  testOutcomeBody,
  webhookAnswer,
} from "./schemas.ts";

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
  listPayments: {
    method: "GET",
    path: "/api/v1/payments",
    summary: "Lists payments, newest first",
    who: "account",
    query: ownerQuery.entries,
    paged: true,
    answer: paymentsAnswer,
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
  refundPayment: {
    method: "POST",
    path: "/api/v1/payments/:reference/refunds",
    summary: "Pays (a part of) a payment back",
    notes:
      "Never more than was paid, however many refunds and disputes come together. The player is told the reason; what the wallet cannot cover becomes what the player owes. Where the provider does not answer (503) the refund is asked for again by itself.",
    who: "admin",
    params: { reference: "text" },
    body: { refund: refundBody },
    answer: paymentAnswer,
    status: 201,
    idempotent: true,
    refusals: {
      idempotency_key_reused: "The key belongs to another refund of this payment.",
      refund_refused: "The provider refuses it for good.",
      conflict: { status: 409, when: "The payment was not paid, or another provider took it." },
    },
  },
  closePaymentFlag: {
    method: "PUT",
    path: "/api/v1/payment_flags/:id/close",
    summary: "Puts a provider's message away that was refused",
    notes: "Says that somebody has looked at it, and what was done. It moves no money.",
    who: "admin",
    body: { paymentFlag: closeFlagBody },
    answer: paymentFlagAnswer,
  },
} as const satisfies Endpoints;
