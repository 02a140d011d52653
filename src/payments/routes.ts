import { Elysia } from "elysia";
import type { Deps } from "#src/deps.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { readBody } from "#src/http/read-body.ts";
import { readText } from "#src/http/read-text.ts";
import { requireAccount } from "#src/users/require-viewer.ts";
import { visiting } from "#src/users/visiting.ts";
import { testOutcomeBody, WEBHOOKS_PATH } from "./contract.ts";
import { createPayment } from "./create-payment.ts";
import { endTestCheckout } from "./end-test-checkout.ts";
import { findOwnPayment } from "./find-payment.ts";
import { presentPayment } from "./present-payment.ts";
import { readPayment } from "./read-payment.ts";
import { receiveWebhook } from "./receive-webhook.ts";

/** Paying in: begun by the player, ended by what the provider says. */
export function paymentsRoutes(deps: Deps) {
  return new Elysia({ name: "payments" })
    .post(WEBHOOKS_PATH, async ({ request }) => {
      await receiveWebhook(deps, await readText(request), request.headers);
      return { received: true };
    })
    .use(visiting(deps))
    .post("/api/v1/payments", async ({ request, body, visit, set }) => {
      const viewer = requireAccount(visit);
      await limitRate(deps, rates.pay, visit);
      const payment = await createPayment(deps, readPayment(viewer, body, request.headers));
      set.status = 201;
      return { payment: presentPayment(payment) };
    })
    .get("/api/v1/payments/:reference", async ({ params: { reference }, visit }) => {
      const viewer = requireAccount(visit);
      return { payment: presentPayment(await findOwnPayment(deps.pool.db, { viewer, reference })) };
    })
    .post("/api/v1/payments/:reference/test", async ({ params: { reference }, body, visit }) => {
      const own = { viewer: requireAccount(visit), reference };
      const { outcome } = readBody(body, "payment", testOutcomeBody);
      await endTestCheckout(deps, { payment: await findOwnPayment(deps.pool.db, own), outcome });
      return { payment: presentPayment(await findOwnPayment(deps.pool.db, own)) };
    });
}
