import { beforeEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { askAboutPending } from "#src/money/payments/ask-about-pending.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { createStripeProvider } from "#src/money/payments/stripe-provider.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { lookAt } from "#src/operate/metrics/check-readiness.ts";
import { createServer } from "#src/server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { type TestClient, signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { sayStripe, sessionOf, STRIPE_SECRET } from "./stripe-events.ts";
import { startStripeServer, STRIPE_KEY } from "./stripe-server.ts";
import { about, postSigned } from "./webhook.ts";
let player: { id: number; email: string | null };
let browser: TestClient;

const stripe = startStripeServer();
const deps = await testDeps({
  STRIPE_SECRET_KEY: STRIPE_KEY,
  STRIPE_WEBHOOK_SECRET: `${STRIPE_SECRET},whsec_old_secret_of_tests`,
  STRIPE_API_URL: stripe.url,
});
const server = createServer(deps);
afterFile(() => stripe.stop());

beforeEach(async () => {
  player = await buildPlayer(deps);
  browser = await signedInClient(deps, server, player);
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
const balance = async () => (await findWalletView(deps.pool.db, player.id)).balanceCents;

describe("a checkout", () => {
  test("starts at Stripe with the reference, the amount, and the return address", async () => {
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

  test("that Stripe did not start is refused, and starts when requested again", async () => {
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
});

test("operators read that Stripe does not know the key or fails, until it works again, and nothing was asked for", async () => {
  const other = { secretKey: "sk_test_another", webhookSecrets: [STRIPE_SECRET], apiUrl: stripe.url };
  const provider = createStripeProvider(deps.env.publicUrl, other);
  const before = stripe.checkouts.length;
  expect(provider.examine()).rejects.toThrow(
    "Stripe does not know the key (401). Correct STRIPE_SECRET_KEY.",
  );
  await waitFor("the trouble", () => provider.trouble()?.message.includes("STRIPE_SECRET_KEY") === true);
  stripe.breakWith(503);
  const usual = providerOf(deps.env);
  await usual.examine().catch(() => undefined);
  expect(usual.trouble()?.message).toBe("Stripe answers 503. See https://status.stripe.com.");
  expect((await lookAt(deps)).find(({ check }) => check.part === "payments")).toMatchObject({
    what: "payments refused",
    cure: expect.stringContaining("STRIPE_SECRET_KEY"),
  });
  stripe.breakWith(null);
  await usual.examine();
  expect(usual.trouble()).toBeNull();
  expect(stripe.checkouts.length).toBe(before);
});

describe("events of Stripe", () => {
  test("a session that was paid is a deposit, once", async () => {
    const session = sessionOf(await begin());
    const id = `evt_${crypto.randomUUID()}`;
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => say("checkout.session.completed", session, { id })),
    );
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(await balance()).toBe(12_000);
  });

  test("a delayed payment method is a deposit when the money arrives", async () => {
    const payment = await begin();
    await say("checkout.session.completed", sessionOf(payment, { payment_status: "unpaid" }));
    expect(await balance()).toBe(10_000);
    await say("checkout.session.async_payment_succeeded", sessionOf(payment), {
      secret: "whsec_old_secret_of_tests",
    });
    expect(await balance()).toBe(12_000);
  });

  test("a session that expired or failed moves nothing", async () => {
    for (const type of ["checkout.session.expired", "checkout.session.async_payment_failed"]) {
      const payment = await begin({ "idempotency-key": type });
      expect(await say(type, sessionOf(payment))).toBe(200);
      const { body } = await browser.get(`/api/v1/payments/${payment.reference}`);
      expect(body).toMatchObject({ payment: { state: "failed" } });
    }
    expect(await balance()).toBe(10_000);
  });
});

describe("events that move nothing", () => {
  test("an event about no payment of this app is accepted and changes nothing", async () => {
    expect(await say("customer.created", { id: "cus_1" })).toBe(200);
    expect(await say("charge.refunded", { payment_intent: null })).toBe(200);
    expect(
      await say("checkout.session.completed", { ...sessionOf(await begin()), client_reference_id: null }),
    ).toBe(200);
    expect(await balance()).toBe(10_000);
  });

  test("an event that Stripe did not sign is refused, also with the test provider's signature", async () => {
    const payment = await begin();
    expect(await say("checkout.session.completed", sessionOf(payment), { secret: "whsec_other" })).toBe(400);
    expect(await postSigned(server, about(payment), STRIPE_SECRET)).toBe(400);
    expect(await balance()).toBe(10_000);
  });

  test("another amount is refused", async () => {
    expect(await say("checkout.session.completed", sessionOf(await begin(), { amount_total: 1 }))).toBe(422);
    expect(await balance()).toBe(10_000);
  });
});

describe("messages that do not arrive", () => {
  const paymentsPart = async () => (await lookAt(deps)).find(({ check }) => check.part === "payments");
  const stateOf = async ({ reference }: PaymentView) =>
    v.parse(paymentAnswer, (await browser.get(`/api/v1/payments/${reference}`)).body).payment.state;
  const age = (minutes: number) =>
    deps.pool.sql.unsafe(
      `SET session_replication_role = replica; UPDATE payments SET created_at = clock_timestamp() - interval '${minutes} minutes';
       SET session_replication_role = origin`,
    );
  const checkoutOf = ({ checkoutUrl }: PaymentView) => /cs_test_\d+/.exec(checkoutUrl ?? "")?.[0] ?? "";
  /** How a checkout ends at Stripe, which tells nobody. */
  const end = (payment: PaymentView, changes: object = {}) =>
    stripe.ended.set(checkoutOf(payment), sessionOf(payment, { status: "complete", ...changes }));

  test("a wrong signature is told to operators with its cure, if the message names a payment, until a right one comes", async () => {
    const payment = await begin();
    await say("checkout.session.completed", sessionOf(await begin()));
    const junk = { ...sessionOf(payment), client_reference_id: "pay_of_nobody" };
    expect(await say("checkout.session.completed", junk, { secret: "whsec_other" })).toBe(400);
    expect(await paymentsPart()).toMatchObject({ state: "ok" });
    expect(await say("checkout.session.completed", sessionOf(payment), { secret: "whsec_other" })).toBe(400);
    expect(await paymentsPart()).toMatchObject({
      what: "payments unheard",
      detail: "Its messages are refused, because their signature is wrong.",
      cure: expect.stringMatching(
        /http:\/\/localhost:\d+\/api\/v1\/payments\/webhooks.*STRIPE_WEBHOOK_SECRET/,
      ),
    });
    expect(await stateOf(payment)).toBe("pending");
    expect(await say("checkout.session.completed", sessionOf(payment))).toBe(200);
    expect(await paymentsPart()).toMatchObject({ state: "ok" });
  });

  test("a payment that is pending for minutes is asked about, and booked once, also if the message comes after all", async () => {
    const [paid, expired, given, delayed] = [
      await begin({ "idempotency-key": "paid" }),
      await begin({ "idempotency-key": "expired" }),
      await begin({ "idempotency-key": "given up" }),
      await begin({ "idempotency-key": "delayed" }),
    ];
    end(paid);
    end(expired, { status: "expired", payment_status: "unpaid" });
    end(delayed, { payment_status: "unpaid" });
    const before = stripe.asked();
    await askAboutPending(deps);
    expect(stripe.asked()).toBe(before);
    await age(4);
    await Promise.all([askAboutPending(deps), askAboutPending(deps)]);
    expect(await Promise.all([paid, expired, given, delayed].map(stateOf))).toEqual([
      "succeeded",
      "failed",
      "pending",
      "pending",
    ]);
    expect(await balance()).toBe(12_000);
    expect(await paymentsPart()).toMatchObject({ what: "payments unheard" });
    expect(await say("checkout.session.completed", sessionOf(paid))).toBe(200);
    expect(await balance()).toBe(12_000);
    expect(await paymentsPart()).toMatchObject({ state: "ok" });
  });

  test("a payment is asked about rarely while it is pending, and one that does not match is flagged and not booked", async () => {
    const payment = await begin();
    const askedAt = async (minutes: number) => {
      const before = stripe.asked();
      await age(minutes);
      await askAboutPending(deps);
      return stripe.asked() > before;
    };
    const minutes = [2, 3.5, 5.5, 6.5, 11, 13, 100, 1_400, 1_600];
    const asked = [];
    for (const each of minutes) asked.push(await askedAt(each));
    expect(asked).toEqual([false, true, false, true, false, true, false, false, false]);
    end(payment, { amount_total: 1 });
    expect(await askedAt(25)).toBe(true);
    expect([await stateOf(payment), await balance()]).toEqual(["pending", 10_000]);
    stripe.breakWith(503);
    await askAboutPending(deps);
    stripe.breakWith(null);
    expect([await stateOf(payment), await balance()]).toEqual(["pending", 10_000]);
  });
});

test("the test checkout does not exist", async () => {
  const { reference } = await begin();
  const path = `/api/v1/payments/${reference}/test`;
  expect((await browser.send("POST", path, { payment: { outcome: "succeeded" } })).status).toBe(404);
  expect(await balance()).toBe(10_000);
});
