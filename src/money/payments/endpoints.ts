import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { wholeCentsOf } from "#src/http/money.ts";
import { rates } from "#src/http/rates.ts";
import { readText, WEBHOOK_BYTES_MAX } from "#src/http/read-body.ts";
import { requireFitPlayer } from "#src/money/spending/refuse-deposit.ts";
import { ownerQuery } from "#src/money/wallet/schemas.ts";
import { endpoint } from "#src/people/sign-ins/serve-endpoints.ts";
import { endOwnCheckout } from "./ask-provider.ts";
import { WEBHOOKS_PATH } from "./contract.ts";
import { createPayment } from "./create-payment.ts";
import { findOwnPayment, findOwnPaymentView, findPaymentView, listPayments } from "./find-payment-views.ts";
import { closePaymentFlag } from "./flag-message.ts";
import { endTestCheckout, receiveWebhook } from "./receive-webhook.ts";
import { refundPayment } from "./refund-payment.ts";
import { returnUnused } from "./return-unused.ts";
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
  receiveWebhook: endpoint({
    route: `POST ${WEBHOOKS_PATH}`,
    summary: "Receives a message of the payment provider",
    notes:
      'For the provider only. The signature covers the exact bytes of the body: `X-Payment-Signature: t=<unix>,v1=<hex HMAC-SHA256 of "t.body">`, or Stripe\'s own header. A repeated message changes nothing.',
    who: "public",
    raw: "message",
    answer: webhookAnswer,
    handle: async (deps, { request, context }) => {
      await receiveWebhook(deps, await readText(context, WEBHOOK_BYTES_MAX), request.headers);
      return { received: true };
    },
  }),
  createPayment: endpoint({
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
    handle: async (deps, { viewer, body, idempotencyKey, request, set }) => {
      await requireFitPlayer(deps, { userId: viewer.id, isOfAge: body.payment.ofAge, request });
      const amountCents = wholeCentsOf(body.payment.amount);
      const { payment, replayed } = await createPayment(deps, { viewer, amountCents, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(deps.pool.db, payment) };
    },
  }),
  listPayments: endpoint({
    route: "GET /api/v1/payments",
    summary: "Lists payments, newest first",
    who: "account",
    token: "none",
    query: ownerQuery.entries,
    paged: true,
    newestFirst: true,
    answer: paymentsAnswer,
    handle: (deps, { viewer, query, page, now }) => listPayments(deps.pool.db, { viewer, query, page }, now),
  }),
  showPayment: endpoint({
    route: "GET /api/v1/payments/:reference",
    summary: "Shows one of the user's own payments",
    who: "account",
    token: "none",
    params: { reference: "text" },
    answer: paymentAnswer,
    handle: async (deps, { viewer, params: { reference } }) => ({
      payment: await findOwnPaymentView(deps.pool.db, { viewer, reference }),
    }),
  }),
  endCheckout: endpoint({
    route: "PUT /api/v1/payments/:reference/end",
    summary: "Ends the user's own open checkout",
    notes:
      "It cannot be paid any more, and counts against no limit. The answer says whether it was paid in the same moment. What has ended stays as it is.",
    who: "account",
    token: "none",
    params: { reference: "text" },
    answer: paymentAnswer,
    refusals: {
      conflict: { status: 409, when: "Its checkout was not begun, or its money is on its way." },
    },
    handle: async (deps, { viewer, params: { reference } }) => {
      await endOwnCheckout(deps, { viewer, reference });
      return { payment: await findOwnPaymentView(deps.pool.db, { viewer, reference }) };
    },
  }),
  endTestCheckout: endpoint({
    route: "POST /api/v1/payments/:reference/test",
    summary: "Ends the checkout of the test provider",
    notes: "Only with the test provider. A real provider has its own checkout.",
    who: "account",
    params: { reference: "text" },
    body: { payment: testOutcomeBody },
    answer: paymentAnswer,
    handle: async (deps, { viewer, params: { reference }, body }) => {
      const payment = await findOwnPayment(deps.pool.db, { viewer, reference });
      await endTestCheckout(deps, { payment, ...body.payment });
      return { payment: await findOwnPaymentView(deps.pool.db, { viewer, reference }) };
    },
  }),
  refundPayment: endpoint({
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
    handle: async (deps, { viewer, params: { reference }, body, idempotencyKey, set }) => {
      const terms = { amountCents: wholeCentsOf(body.refund.amount), reason: body.refund.reason };
      const order = { ...terms, actor: viewer, reference, idempotencyKey };
      const { payment, replayed } = await refundPayment(deps, order);
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(deps.pool.db, payment) };
    },
  }),
  returnUnused: endpoint({
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
    handle: async (deps, { viewer, params: { reference }, idempotencyKey, set }) => {
      const { payment, replayed } = await returnUnused(deps, { viewer, reference, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(deps.pool.db, payment) };
    },
  }),
  closePaymentFlag: endpoint({
    route: "PUT /api/v1/payment_flags/:id/close",
    summary: "Closes the flag of a provider's refused message",
    notes: "Records what was done about the message. It moves no money.",
    who: "admin",
    body: { paymentFlag: closeFlagBody },
    answer: paymentFlagAnswer,
    handle: async (deps, { viewer, params, body }) => {
      const { note } = body.paymentFlag;
      return { paymentFlag: await closePaymentFlag(deps, { flagId: params.id, note, actor: viewer }) };
    },
  }),
};
