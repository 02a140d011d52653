import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { createStripeProvider } from "#src/money/payments/stripe-provider.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { type TestClient } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { sayStripe, sessionOf, STRIPE_SECRET } from "./stripe-events.ts";
import { startStripeServer, STRIPE_KEY } from "./stripe-server.ts";
import { about, postSigned } from "./webhook.ts";
let player: { id: number; email: string | null };
let browser: TestClient;

const stripe = startStripeServer();
const { deps, db, build, server, client } = await testWorld({
  STRIPE_SECRET_KEY: STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET: `${STRIPE_SECRET},whsec_old_secret_of_tests`,
  STRIPE_API_URL: stripe.url,
});
afterFile(() => stripe.stop());

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
});

async function begin(headers: Record<string, string> = {}): Promise<PaymentView> {
  const { status, body } = await browser.send(
    "POST",
    "/api/v1/payments",
    { payment: { amount: 20 } },
    headers,
  );
  expect(status).toBe(201);
  return v.parse(paymentAnswer, body).payment;
}

const say = (type: string, object: object, { id, secret }: { id?: string; secret?: string } = {}) =>
  sayStripe(server, { type, object, id }, secret);
const balance = async () => (await findWalletView(db, player.id)).balanceCents;

test("a checkout starts at Stripe with the reference, the amount, and the return address", async () => {
  const payment = await begin();
  expect(payment).toMatchObject({ provider: "stripe", state: "pending" });
  expect(payment.checkoutUrl).toStartWith("https://checkout.stripe.test/cs_test_");
  const form = Object.fromEntries(stripe.checkouts.at(-1) ?? []);
  expect(form).toMatchObject({
    mode: "payment",
    client_reference_id: payment.reference,
    customer_email: player.email ?? "",
    "line_items[0][price_data][currency]": "usd",
    "line_items[0][price_data][unit_amount]": "2000",
    "payment_intent_data[metadata][reference]": payment.reference,
    success_url: `${deps.env.publicUrl}/profile/wallet?payment=${payment.reference}`,
  });
});

test("a checkout that Stripe did not start is refused, and starts when requested again", async () => {
  const key = { "idempotency-key": "try-again" };
  stripe.breakWith(500);
  expect(await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } }, key)).toMatchObject({
    status: 503,
    body: { code: "payments_unavailable" },
  });
  stripe.breakWith(null);
  const before = stripe.checkouts.length;
  const [first, second] = [await begin(key), await begin(key)];
  expect(first).toEqual(second);
  expect(stripe.checkouts.length).toBe(before + 1);
});

test("operators read that Stripe does not know the key or fails, until it works again, and nothing was asked for", async () => {
  const other = { secretKey: "sk_test_another", webhookSecrets: [STRIPE_SECRET], apiUrl: stripe.url };
  const provider = createStripeProvider(deps.env.publicUrl, other);
  const before = stripe.checkouts.length;
  expect(provider.check()).rejects.toThrow("Stripe does not know the key (401). Correct STRIPE_SECRET_KEY.");
  await waitFor("the trouble", () => provider.trouble()?.message.includes("STRIPE_SECRET_KEY") === true);
  stripe.breakWith(503);
  const usual = providerOf(deps.env);
  await usual.check().catch(() => undefined);
  expect(usual.trouble()?.message).toBe("Stripe answers 503. See https://status.stripe.com.");
  expect(await runCheck(deps, "payments")).toMatchObject({
    what: "payments refused",
    cure: expect.stringContaining("STRIPE_SECRET_KEY"),
  });
  stripe.breakWith(null);
  await usual.check();
  expect(usual.trouble()).toBeNull();
  expect(stripe.checkouts.length).toBe(before);
});

test("events of Stripe: a session that was paid is a deposit, once", async () => {
  const session = sessionOf(await begin());
  const id = `evt_${crypto.randomUUID()}`;
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => say("checkout.session.completed", session, { id })),
  );
  expect(new Set(answers)).toEqual(new Set([200]));
  expect(await balance()).toBe(12_000);
});

test("events of Stripe: a delayed payment method is a deposit when the money arrives", async () => {
  const payment = await begin();
  await say("checkout.session.completed", sessionOf(payment, { payment_status: "unpaid" }));
  expect(await balance()).toBe(10_000);
  await say("checkout.session.async_payment_succeeded", sessionOf(payment), {
    secret: "whsec_old_secret_of_tests",
  });
  expect(await balance()).toBe(12_000);
});

test("events of Stripe: a session that expired or failed moves nothing", async () => {
  for (const type of ["checkout.session.expired", "checkout.session.async_payment_failed"]) {
    const payment = await begin({ "idempotency-key": type });
    expect(await say(type, sessionOf(payment))).toBe(200);
    const { body } = await browser.get(`/api/v1/payments/${payment.reference}`);
    expect(body).toMatchObject({ payment: { state: "failed" } });
  }
  expect(await balance()).toBe(10_000);
});

test("events that move nothing: an event about no payment of this app is accepted and changes nothing", async () => {
  expect(await say("customer.created", { id: "cus_1" })).toBe(200);
  expect(await say("charge.refunded", { payment_intent: null })).toBe(200);
  expect(
    await say("checkout.session.completed", { ...sessionOf(await begin()), client_reference_id: null }),
  ).toBe(200);
  expect(await balance()).toBe(10_000);
});

test("events that move nothing: an event that Stripe did not sign is refused, also with the test provider's signature", async () => {
  const payment = await begin();
  expect(await say("checkout.session.completed", sessionOf(payment), { secret: "whsec_other" })).toBe(400);
  expect(await postSigned(server, about(payment), STRIPE_SECRET)).toBe(400);
  expect(await balance()).toBe(10_000);
});

test("the test checkout does not exist", async () => {
  const { reference } = await begin();
  const path = `/api/v1/payments/${reference}/test`;
  expect((await browser.send("POST", path, { payment: { outcome: "succeeded" } })).status).toBe(404);
  expect(await balance()).toBe(10_000);
});
