import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { askAboutPending } from "#src/money/payments/ask-provider.ts";
import { providerOf } from "#src/money/payments/provider-of.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { createStripeProvider } from "#src/money/payments/stripe-provider.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { runCheck } from "#tests/operate/checks/run-check.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { TestClient } from "#tests/support/client.ts";
import {
  dripHeaders,
  floodBody,
  floodHeaders,
  HostileServer,
  keepSilent,
  stopHalfWay,
} from "#tests/support/hostile-server.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { sayStripe, sessionOf, STRIPE_SECRET } from "./stripe-events.ts";
import { startStripeServer, STRIPE_KEY, type StripeEndpoint } from "./stripe-server.ts";

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

test("the test checkout does not exist", async () => {
  const { reference } = await begin();
  const path = `/api/v1/payments/${reference}/test`;
  expect((await browser.send("POST", path, { payment: { outcome: "succeeded" } })).status).toBe(404);
  expect(await balance()).toBe(10_000);
});

const paymentsPart = (of = deps) => runCheck(of, "payments");
const stateOf = async ({ reference }: PaymentView) =>
  (await browser.read(`/api/v1/payments/${reference}`, paymentAnswer)).payment.state;
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
    said: "Its messages are refused, because their signature is wrong.",
    cure: expect.stringMatching(/http:\/\/localhost:\d+\/api\/v1\/payments\/webhooks.*STRIPE_WEBHOOK_SECRET/),
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
  // The worker asks, and gets no message itself.
  const worker = { ...deps, env: { ...deps.env } };
  await age(6.5);
  end(delayed);
  await askAboutPending(worker);
  expect(await stateOf(delayed)).toBe("succeeded");
  expect(await paymentsPart(worker)).toMatchObject({ what: "payments unheard" });
  expect(await say("checkout.session.completed", sessionOf(paid))).toBe(200);
  expect(await balance()).toBe(14_000);
  for (const each of [deps, worker])
    await untilPasses(async () => expect(await paymentsPart(each)).toMatchObject({ state: "ok" }));
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

const SHOP = "https://play.example.com";
const own = `${SHOP}/api/v1/payments/webhooks`;

/** What deploy/settings.md tells to choose at Stripe. */
const documented = (await Bun.file("deploy/settings.md").text())
  .split("\n\n")
  .find((part) => part.startsWith("Stripe's webhooks"))
  ?.matchAll(/`((?:checkout|refund|charge)\.[\w.]+)`/g);
const events = [...(documented ?? [])].map(([, name = ""]) => name);
const endpoint = (changes: Partial<StripeEndpoint> = {}): StripeEndpoint => ({
  url: own,
  status: "enabled",
  enabled_events: events,
  ...changes,
});
const other = endpoint({ url: "https://staging.example.com/api/v1/payments/webhooks" });
const views: [view: string, endpoints: readonly StripeEndpoint[] | number, said: string | null][] = [
  ["has our endpoint beside another one", [other, endpoint()], null],
  ["sends all events", [endpoint({ enabled_events: ["*"] })], null],
  ["has another one alone", [other], "Stripe has no endpoint with this address."],
  ["has disabled it", [other, endpoint({ status: "disabled" })], "The endpoint at Stripe is disabled."],
  [
    "leaves events out",
    [endpoint({ enabled_events: events.slice(2) })],
    `The endpoint at Stripe does not send ${events.slice(0, 2).join(", ")}.`,
  ],
  ["does not tell this key", 403, null],
  ["does not know", 404, null],
];

test.each(views)("where Stripe %s is asked of Stripe itself, and told", async (_view, endpoints, said) => {
  const settings = { secretKey: STRIPE_KEY, webhookSecrets: ["whsec_x"], apiUrl: stripe.url };
  const provider = createStripeProvider(SHOP, settings);
  stripe.sendTo(endpoints);
  await provider.checkMessages();
  expect(provider.trouble()?.message ?? null).toBe(said);
  stripe.sendTo([endpoint()]);
  // It is asked again by itself, for who wants to know.
  await untilPasses(() => expect(provider.trouble()).toBeNull());
});

test("operators read it with its cure, as soon as players come by https", async () => {
  stripe.sendTo([]);
  const read = async (publicUrl: string) => {
    const shop = { ...deps, env: { ...deps.env, publicUrl } };
    await providerOf(shop.env).check();
    return runCheck(shop, "payments");
  };
  expect(await read("http://localhost:3000")).toMatchObject({ state: "ok" });
  expect(await read(SHOP)).toMatchObject({
    what: "payments unheard",
    said: "Stripe has no endpoint with this address.",
    cure: expect.stringContaining(`there must be an endpoint ${own}`),
  });
});

test("a Stripe that drips, is silent or answers without end is a 503 in time, and nothing stays connected", async () => {
  const behaviours = [keepSilent, dripHeaders, floodBody, floodHeaders, stopHalfWay];
  const servers = await Promise.all(behaviours.map((behave) => HostileServer.start(behave)));
  const asked = servers.map(async ({ origin }) => {
    const settings = { secretKey: "sk_test_local", webhookSecrets: ["whsec_x"], apiUrl: origin };
    const provider = createStripeProvider("https://called.example", settings);
    return refusalOf(
      provider.beginCheckout({ reference: "pay_1", amountCents: 500, email: null, createdAt: new Date() }),
    );
  });
  for (const refusal of await Promise.all(asked))
    expect(refusal).toMatchObject({ status: 503, code: "payments_unavailable" });
  await waitFor("the connections to be closed", () => servers.every(({ open }) => open === 0));
  for (const { bytesWritten } of servers) expect(bytesWritten).toBeLessThan(64_000_000);
});
