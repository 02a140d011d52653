import type { Endpoints } from "#src/http/endpoint.ts";
import { rates } from "#src/http/rates.ts";
import { ownerQuery } from "#src/money/wallet/schemas.ts";
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

/** Deposits: the player starts a payment, and the provider's message completes it. */
export const paymentsEndpoints = {
  receiveWebhook: {
    route: `POST ${WEBHOOKS_PATH}`,
    summary: "Receives a message of the payment provider",
    notes:
      'For the provider only. The signature covers the exact bytes of the body: `X-Payment-Signature: t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`, or Stripe\'s own header. A repeated message changes nothing.',
    who: "public",
    raw: "message",
    answer: webhookAnswer,
  },
  createPayment: {
    route: "POST /api/v1/payments",
    summary: "Starts a payment",
    notes:
      "The player pays at the answer's `checkoutUrl`. The wallet changes when the provider confirms the payment.",
    who: "account",
    rate: rates.pay,
    body: { payment: createPaymentBody },
    answer: paymentAnswer,
    creates: true,
    refusals: {
      idempotency_key_reused: "The key belongs to another payment.",
      deposit_limit: "A limit for deposits leaves less.",
      on_break: "The player is on a break.",
      age_not_confirmed: "The first deposit confirms the player's age: `of_age`.",
      conflict: { status: 409, when: "The order is a day old, and its checkout was never begun." },
      switched_off: {
        status: 403,
        when: "An admin has turned payments off. What is open already may still be paid.",
      },
      region_without_payments: { status: 403, when: "Payments are off in the player's region." },
    },
  },
  listPayments: {
    route: "GET /api/v1/payments",
    summary: "Lists payments, newest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    paged: true,
    newestFirst: true,
    answer: paymentsAnswer,
  },
  showPayment: {
    route: "GET /api/v1/payments/:reference",
    summary: "Shows one of the user's own payments",
    who: "account",
    token: "none",
    params: { reference: "text" },
    answer: paymentAnswer,
  },
  endTestCheckout: {
    route: "POST /api/v1/payments/:reference/test",
    summary: "Ends the checkout of the test provider",
    notes: "Only with the test provider. A real provider has its own checkout.",
    who: "account",
    params: { reference: "text" },
    body: { payment: testOutcomeBody },
    answer: paymentAnswer,
  },
  refundPayment: {
    route: "POST /api/v1/payments/:reference/refunds",
    summary: "Refunds a payment, in full or in part",
    notes:
      "Refunds and disputes together never exceed the payment. The player is notified with the reason. An amount that the wallet cannot cover becomes debt. If the provider does not answer (503), the server retries the refund.",
    who: "admin",
    params: { reference: "text" },
    body: { refund: refundBody },
    answer: paymentAnswer,
    creates: true,
    refusals: {
      idempotency_key_reused: "The key belongs to another refund of this payment.",
      refund_refused: "The provider refused the refund for good.",
      conflict: { status: 409, when: "The payment was not paid, or another provider took it." },
    },
  },
  returnUnused: {
    route: "POST /api/v1/payments/:reference/return",
    summary: "Sends back what of a payment was not used",
    notes:
      "Within 14 days, to where it came from. Calls use first what was in the wallet before. While the provider does not answer, the server asks again.",
    who: "account",
    params: { reference: "text" },
    answer: paymentAnswer,
    creates: true,
    refusals: {
      nothing_unused: "It was used, or its 14 days are over.",
      refund_refused: "The provider refused the refund for good. The money is in the wallet again.",
      conflict: { status: 409, when: "Another provider took the payment." },
    },
  },
  closePaymentFlag: {
    route: "PUT /api/v1/payment_flags/:id/close",
    summary: "Closes the flag of a provider's refused message",
    notes: "Records what was done about the message. It moves no money.",
    who: "admin",
    body: { paymentFlag: closeFlagBody },
    answer: paymentFlagAnswer,
  },
} as const satisfies Endpoints;
