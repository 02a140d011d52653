import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { paymentFlags } from "#db/schema/payments.ts";
import { registry } from "#src/base/instruments.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { sampleOf } from "#tests/operate/metrics/samples.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { sayStripe, sessionOf, STRIPE_SECRET, stripeVariables } from "./stripe-events.ts";
import { startStripeServer } from "./stripe-server.ts";
import { about, postSigned } from "./webhook.ts";

const stripe = startStripeServer();
const { deps, db, build, server, client, unchanged } = await testWorld(stripeVariables(stripe));
afterFile(() => stripe.stop());
let player: { id: number };
let browser: TestClient;
let payment: PaymentView;

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
});

const say = (type: string, object: object) => sayStripe(server, { type, object });
const flags = () => db.select().from(paymentFlags);
const shown = async () =>
  (await browser.read(`/api/v1/payments/${payment.reference}`, paymentAnswer)).payment;
const countOf = async (outcome: string) =>
  sampleOf(await registry.metrics(), "called_it_payment_messages_total", { outcome }) ?? 0;
/** The metadata that the last checkout gave its payment: of the session, or of the intent. */
const metadataOf = (prefix: string) =>
  Object.fromEntries(
    [...(stripe.checkouts.at(-1) ?? [])].flatMap(([name, value]) => {
      const key = name.startsWith(`${prefix}[`) ? /\[(\w+)\]$/.exec(name)?.[1] : undefined;
      return key === undefined ? [] : [[key, value]];
    }),
  );

const basket = {
  object: "checkout.session",
  client_reference_id: "order-17",
  amount_total: 4_200,
  currency: "eur",
  payment_status: "paid",
  payment_intent: "pi_other_shop",
  metadata: { order: "17" },
};
stripe.describe("pi_other_shop", { order: "17" });
stripe.describe("pi_other_reference", { reference: "order-17" });
stripe.describe("pi_elsewhere", null);
const dispute = { id: "dp_other", payment_intent: "pi_other_shop", amount: 4_200, currency: "eur" };
const refund = { object: "refund", payment_intent: "pi_other_shop" };

const foreign: [what: string, type: string, object: object][] = [
  ["a paid basket", "checkout.session.completed", basket],
  ["a basket without a reference", "checkout.session.completed", { ...basket, client_reference_id: null }],
  ["a basket without metadata", "checkout.session.completed", { ...basket, metadata: null }],
  [
    "a payment of another installation",
    "checkout.session.completed",
    { ...basket, metadata: { called_it: "https://another.example", reference: "order-17" } },
  ],
  ["a late payment", "checkout.session.async_payment_succeeded", basket],
  ["a failed payment", "checkout.session.async_payment_failed", basket],
  ["an expired basket", "checkout.session.expired", { ...basket, payment_intent: null }],
  [
    "a subscription's basket",
    "checkout.session.completed",
    { ...basket, mode: "subscription", payment_intent: null, subscription: "sub_1" },
  ],
  ["a subscription", "customer.subscription.created", { id: "sub_1", object: "subscription" }],
  ["an invoice", "invoice.paid", { id: "in_1", object: "invoice", subscription: "sub_1" }],
  ["a refund", "charge.refunded", refund],
  ["a new refund", "refund.created", { ...refund, payment_intent: "pi_other_reference" }],
  ["a failed refund", "refund.failed", { ...refund, payment_intent: "pi_elsewhere" }],
  ["a refund without an intent", "refund.updated", { ...refund, payment_intent: null }],
  ["a dispute", "charge.dispute.funds_withdrawn", dispute],
  ["a won dispute", "charge.dispute.funds_reinstated", { ...dispute, payment_intent: "pi_other_reference" }],
  [
    "a dispute in an older form",
    "charge.dispute.funds_withdrawn",
    { id: "dp_old", charge: "ch_1", amount: 1 },
  ],
  ["a basket in another form", "checkout.session.completed", { object: "checkout.session" }],
  ["what nobody knows yet", "shop.window.cleaned", { id: "sw_1" }],
  ["a dispute elsewhere", "charge.dispute.funds_withdrawn", { ...dispute, payment_intent: "pi_elsewhere" }],
];

for (const [what, type, object] of foreign) {
  test(`of another shop with the same account, ${what} is accepted and counted, and changes nothing`, async () => {
    const counted = await countOf("foreign");
    expect(await unchanged(() => say(type, object))).toBe(200);
    expect(await countOf("foreign")).toBe(counted + 1);
  });
}

test("what Stripe did not sign is refused and not counted, and changes nothing", async () => {
  const counted = await countOf("foreign");
  const event = { type: "checkout.session.completed", object: basket };
  expect(await unchanged(() => sayStripe(server, event, "whsec_of_somebody_else"))).toBe(400);
  expect(await unchanged(() => postSigned(server, about(payment), STRIPE_SECRET))).toBe(400);
  expect(await countOf("foreign")).toBe(counted);
});

test("a payment of this installation is marked at Stripe, on the session and on its intent, and booked and refunded by its mark", async () => {
  const mark = { reference: payment.reference, called_it: deps.env.publicUrl };
  expect(metadataOf("metadata")).toEqual(mark);
  expect(metadataOf("payment_intent_data[metadata]")).toEqual(mark);
  stripe.describe(`pi_${payment.reference}`, metadataOf("payment_intent_data[metadata]"));
  const counted = await countOf("taken");
  const metadata = metadataOf("metadata");
  expect(await say("checkout.session.completed", sessionOf(payment, { metadata }))).toBe(200);
  stripe.refund(`pi_${payment.reference}`, 500);
  expect(await say("charge.refunded", { payment_intent: `pi_${payment.reference}` })).toBe(200);
  expect(await shown()).toMatchObject({ state: "succeeded", refundedCents: 500 });
  expect(await countOf("taken")).toBe(counted + 2);
});

test("a payment of this installation that an earlier release began without a mark is booked and refunded", async () => {
  expect(await say("checkout.session.completed", sessionOf(payment, { metadata: {} }))).toBe(200);
  stripe.refund(`pi_${payment.reference}`, 2_000);
  expect(await say("refund.created", { payment_intent: `pi_${payment.reference}` })).toBe(200);
  expect(await shown()).toMatchObject({ state: "refunded", refundedCents: 2_000 });
});

test("a payment of this installation with the mark of this installation and unknown here is refused and flagged: the database may have been restored", async () => {
  const lost = { ...payment, reference: `lost_${payment.id}` };
  const [flagsBefore, counted] = [(await flags()).length, await countOf("refused")];
  const metadata = { ...metadataOf("metadata"), reference: lost.reference };
  expect(await say("checkout.session.completed", sessionOf(lost, { metadata }))).toBe(404);
  expect(await countOf("refused")).toBe(counted + 1);
  expect((await flags()).slice(flagsBefore)).toMatchObject([
    { code: "unknown_payment", reference: lost.reference },
  ]);
});

const intent = () => `pi_${payment.reference}`;
const withdrawn = (changes: object = {}) => ({
  id: `dp_${intent()}`,
  payment_intent: intent(),
  amount: 2_000,
  currency: "usd",
  ...changes,
});

for (const refundedCents of [2_000, 500]) {
  test(`a dispute that nothing is left to take for after a refund of ${refundedCents} of 2000 is accepted and flagged, and takes nothing`, async () => {
    await say("checkout.session.completed", sessionOf(payment));
    stripe.refund(intent(), refundedCents);
    await say("charge.refunded", { payment_intent: intent() });
    const before = await shown();
    const flagsBefore = (await flags()).length;
    expect(await say("charge.dispute.funds_withdrawn", withdrawn())).toBe(200);
    expect(await shown()).toEqual(before);
    expect((await flags()).slice(flagsBefore)).toMatchObject([{ code: "wrong_amount", closedAt: null }]);
    expect(await say("charge.dispute.funds_reinstated", withdrawn())).toBe(200);
    expect(await shown()).toMatchObject({ refundedCents });
  });
}
