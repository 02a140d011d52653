import type { Deps } from "#src/deps.ts";
import { readText } from "#src/http/read-text.ts";
import { serveEndpoints } from "#src/users/serve-endpoints.ts";
import { createPayment } from "./create-payment.ts";
import { endTestCheckout } from "./end-test-checkout.ts";
import { paymentsEndpoints } from "./endpoints.ts";
import { findOwnPayment } from "./find-payment.ts";
import { presentPayment } from "./present-payment.ts";
import { readAmountCents } from "./read-amount.ts";
import { receiveWebhook } from "./receive-webhook.ts";

/** Answers the endpoints of payments. */
export function paymentsRoutes(deps: Deps) {
  const { db } = deps.pool;
  return serveEndpoints(deps, paymentsEndpoints, {
    receiveWebhook: async ({ request }) => {
      await receiveWebhook(deps, await readText(request), request.headers);
      return { received: true };
    },
    createPayment: async ({ viewer, body, idempotencyKey }) => {
      const amountCents = readAmountCents(body.payment);
      return { payment: presentPayment(await createPayment(deps, { viewer, amountCents, idempotencyKey })) };
    },
    showPayment: async ({ viewer, params: { reference } }) => ({
      payment: presentPayment(await findOwnPayment(db, { viewer, reference })),
    }),
    endTestCheckout: async ({ viewer, params: { reference }, body }) => {
      const payment = await findOwnPayment(db, { viewer, reference });
      await endTestCheckout(deps, { payment, ...body.payment });
      return { payment: presentPayment(await findOwnPayment(db, { viewer, reference })) };
    },
  });
}
