import type { Deps } from "#src/base/deps.ts";
import { REPLAYED_HEADER } from "#src/http/if-match.ts";
import { wholeCentsOf } from "#src/http/money.ts";
import { readText, WEBHOOK_BYTES_MAX } from "#src/http/read-body.ts";
import { requireFitPlayer } from "#src/money/spending/refuse-deposit.ts";
import { serveEndpoints } from "#src/people/sign-ins/serve-endpoints.ts";
import { createPayment } from "./create-payment.ts";
import { paymentsEndpoints } from "./endpoints.ts";
import { findOwnPayment, findPaymentView, listPayments } from "./find-payment-views.ts";
import { closePaymentFlag } from "./flag-message.ts";
import { endTestCheckout, receiveWebhook } from "./receive-webhook.ts";
import { refundPayment } from "./refund-payment.ts";
import { returnUnused } from "./return-unused.ts";

export function paymentsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(paymentsEndpoints, {
    receiveWebhook: async ({ request, context }) => {
      await receiveWebhook(deps, await readText(context, WEBHOOK_BYTES_MAX), request.headers);
      return { received: true };
    },
    createPayment: async ({ viewer, body, idempotencyKey, request, set }) => {
      await requireFitPlayer(deps, { userId: viewer.id, isOfAge: body.payment.ofAge, request });
      const amountCents = wholeCentsOf(body.payment.amount);
      const { payment, replayed } = await createPayment(deps, { viewer, amountCents, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(db, payment) };
    },
    listPayments: ({ viewer, query, page, now }) => listPayments(db, { viewer, query, page }, now),
    showPayment: async ({ viewer, params: { reference } }) => ({
      payment: await findPaymentView(db, await findOwnPayment(db, { viewer, reference })),
    }),
    endTestCheckout: async ({ viewer, params: { reference }, body }) => {
      const payment = await findOwnPayment(db, { viewer, reference });
      await endTestCheckout(deps, { payment, ...body.payment });
      return { payment: await findPaymentView(db, await findOwnPayment(db, { viewer, reference })) };
    },
    refundPayment: async ({ viewer, params: { reference }, body, idempotencyKey, set }) => {
      const terms = { amountCents: wholeCentsOf(body.refund.amount), reason: body.refund.reason };
      const order = { ...terms, actor: viewer, reference, idempotencyKey };
      const { payment, replayed } = await refundPayment(deps, order);
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(db, payment) };
    },
    returnUnused: async ({ viewer, params: { reference }, idempotencyKey, set }) => {
      const { payment, replayed } = await returnUnused(deps, { viewer, reference, idempotencyKey });
      set.headers[REPLAYED_HEADER] = String(replayed);
      return { payment: await findPaymentView(db, payment) };
    },
    closePaymentFlag: async ({ viewer, params, body }) => {
      const { note } = body.paymentFlag;
      return { paymentFlag: await closePaymentFlag(deps, { flagId: params.id, note, actor: viewer }) };
    },
  });
}
