import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { applyPayment } from "#db/ledger/apply-payment.ts";
import { chargebacks, paymentFlags, payments } from "#db/schema/payments.ts";
import { finishRefunds } from "#src/money/payments/refund-payment.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { sayStripe, sessionOf, stripeVariables } from "./stripe-events.ts";
import { startStripeServer } from "./stripe-server.ts";

let player: { id: number };
let browser: TestClient;
let payment: PaymentView;
let intent: string;

const stripe = startStripeServer();
const { deps, db, build, server, client, read } = await testWorld(stripeVariables(stripe));
const admin = await client(await build.admin());
afterFile(() => stripe.stop());

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
  intent = `pi_${payment.reference}`;
  await say("checkout.session.completed", sessionOf(payment));
});

const say = (type: string, object: object) => sayStripe(server, { type, object });
const aboutRefund = () => ({ object: "refund", payment_intent: intent });
const balance = async () => (await findWalletView(db, player.id)).balanceCents;
const shown = async () =>
  (await browser.read(`/api/v1/payments/${payment.reference}`, paymentAnswer)).payment;
const askRefund = (amount: number, key: string, reason = "Asked for it") =>
  admin.send(
    "POST",
    `/api/v1/payments/${payment.reference}/refunds`,
    { refund: { amount, reason } },
    { "idempotency-key": key },
  );

test("a refund made at Stripe is taken from the wallet, in parts up to the whole, whichever event reports it", async () => {
  stripe.refund(intent, 500);
  expect(await say("charge.refunded", aboutRefund())).toBe(200);
  expect(await shown()).toMatchObject({ state: "succeeded", refundedCents: 500 });
  stripe.refund(intent, 1_500);
  const types = ["refund.created", "charge.refunded", "refund.updated", "charge.refund.updated"];
  const answers = await Promise.all(types.map((type) => say(type, aboutRefund())));
  expect(answers).toEqual([200, 200, 200, 200]);
  expect(await shown()).toMatchObject({ state: "refunded", refundedCents: 2_000 });
  expect(await balance()).toBe(10_000);
});

test("a refund made at Stripe that fails is returned, even if the failure is the first message about it", async () => {
  const made = stripe.refund(intent, 500);
  await say("refund.created", aboutRefund());
  expect(await balance()).toBe(11_500);
  made.status = "failed";
  await say("refund.failed", aboutRefund());
  await say("refund.created", aboutRefund());
  stripe.refund(intent, 2_000).status = "failed";
  await say("refund.failed", aboutRefund());
  expect(await balance()).toBe(12_000);
  expect(await shown()).toMatchObject({
    state: "succeeded",
    refundedCents: 0,
    chargebacks: [{ state: "returned" }, { state: "returned" }],
  });
});

const dispute = () => ({ id: `dp_${intent}`, payment_intent: intent, amount: 2_000, currency: "usd" });

test("a dispute takes the money, and gives it back when it is won", async () => {
  await say("charge.dispute.funds_withdrawn", dispute());
  expect([await balance(), (await shown()).state]).toEqual([10_000, "refunded"]);
  await Promise.all([1, 2, 3].map(() => say("charge.dispute.funds_reinstated", dispute())));
  await say("charge.dispute.funds_withdrawn", dispute());
  expect([await balance(), (await shown()).state]).toEqual([12_000, "succeeded"]);
});

test("a dispute that was won before the message about its withdrawal moves nothing", async () => {
  await say("charge.dispute.funds_reinstated", dispute());
  await say("charge.dispute.funds_withdrawn", dispute());
  expect([await balance(), (await shown()).state]).toEqual([12_000, "succeeded"]);
});

test("a refund by an admin is made at Stripe, taken from the wallet, audited and notified; a repeat changes nothing", async () => {
  const answers = await Promise.all([1, 2, 3].map(() => askRefund(5, "once")));
  answers.push(await askRefund(5, "once"));
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  await say("refund.created", aboutRefund());
  expect(stripe.refunds.filter((made) => made.payment_intent === intent)).toMatchObject([{ amount: 500 }]);
  expect(await balance()).toBe(11_500);
  expect(await shown()).toMatchObject({
    state: "succeeded",
    refunded: 5,
    chargebacks: [{ cause: "refund", state: "taken", amount: 5, reason: "Asked for it" }],
  });
  const lines = await read.audit({ subjectId: payment.id });
  expect(lines).toMatchObject([{ action: "refund_payment", reason: "Asked for it" }]);
  const { body } = await browser.get("/api/v1/transactions?per_page=1");
  expect(body).toMatchObject({
    transactions: [{ kind: "refund", amountCents: -500, memo: "Payment refunded: Asked for it" }],
  });
});

test("a refund by an admin never exceeds the payment, with many requests at once", async () => {
  const answers = await Promise.all([1, 2, 3, 4, 5].map((n) => askRefund(8, `race-${n}`)));
  expect(answers.filter(({ status }) => status === 201).length).toBe(2);
  expect(answers.filter(({ status }) => status === 422).length).toBe(3);
  expect(await askRefund(4.01, "too-much")).toMatchObject({
    status: 422,
    body: {
      errors: { amount: ["must be less than or equal to 4"] },
      detail: "Of this payment $4.00 is left to refund.",
    },
  });
  expect([await balance(), (await shown()).refundedCents]).toEqual([10_400, 1_600]);
});

test("a refund whose answer from Stripe is lost is sent again by the schedule, and made once", async () => {
  stripe.breakWith("late");
  expect(await askRefund(5, "lost")).toMatchObject({ status: 503, body: { code: "payments_unavailable" } });
  expect(await balance()).toBe(12_000);
  stripe.breakWith(null);
  await finishRefunds(deps);
  expect(await balance()).toBe(12_000);
  await db.execute(
    sql`SET session_replication_role = replica; UPDATE chargebacks SET created_at = created_at - interval '2 minutes';
        SET session_replication_role = origin`,
  );
  await finishRefunds(deps);
  expect([await balance(), (await askRefund(5, "lost")).status]).toEqual([11_500, 201]);
  expect(stripe.refunds.filter((made) => made.payment_intent === intent).length).toBe(1);
});

test("a refund whose answer from Stripe is lost is found by its chargeback id if Stripe's event comes before the answer", async () => {
  stripe.breakWith("late");
  await askRefund(5, "overtaken");
  stripe.breakWith(null);
  await say("refund.created", aboutRefund());
  expect(await balance()).toBe(11_500);
  expect((await askRefund(5, "overtaken")).status).toBe(201);
  expect((await shown()).chargebacks.length).toBe(1);
  expect(await balance()).toBe(11_500);
});

test("a refund whose answer from Stripe is lost is flagged instead of booked after a dispute, until the dispute is won", async () => {
  const dispute = { id: `dp_${intent}`, payment_intent: intent, amount: 2_000, currency: "usd" };
  stripe.breakWith("late");
  await askRefund(5, "disputed");
  stripe.breakWith(null);
  await say("charge.dispute.funds_withdrawn", dispute);
  expect(await askRefund(5, "disputed")).toMatchObject({ status: 409, body: { code: "conflict" } });
  const flags = () => db.select().from(paymentFlags).where(eq(paymentFlags.reference, payment.reference));
  expect(await flags()).toMatchObject([{ code: "wrong_amount", closedAt: null }]);
  expect([await balance(), (await shown()).refundedCents]).toEqual([10_000, 2_000]);
  await say("charge.dispute.funds_reinstated", dispute);
  expect((await askRefund(5, "disputed")).status).toBe(201);
  expect([await balance(), (await shown()).refundedCents]).toEqual([11_500, 500]);
  expect(await flags()).toMatchObject([{ closedAt: expect.any(Date) }]);
});

test("a refund whose answer from Stripe is lost moves nothing if it was a refusal, which is repeated", async () => {
  stripe.refund(intent, 1_990);
  for (const _ of [1, 2])
    expect(await askRefund(5, "refused")).toMatchObject({ status: 422, body: { code: "refund_refused" } });
  expect(await balance()).toBe(12_000);
  expect(await shown()).toMatchObject({ refundedCents: 0, chargebacks: [{ state: "refused" }] });
});

const untouched = async () => {
  expect(await balance()).toBe(12_000);
  expect(await db.$count(chargebacks, eq(chargebacks.paymentId, payment.id))).toBe(0);
};

test("refused, and nothing changes: an invalid amount, a refund without a reason, and one of a payment that was not paid", async () => {
  const path = `/api/v1/payments/${payment.reference}/refunds`;
  for (const refund of [
    { amount: 0, reason: "x" },
    { amount: 5.005, reason: "x" },
    { amount: 5 },
    { amount: 5, reason: " " },
  ])
    expect((await admin.send("POST", path, { refund })).status).toBe(422);
  await untouched();
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  const { reference } = v.parse(paymentAnswer, body).payment;
  const wish = { refund: { amount: 5, reason: "Asked for it" } };
  expect(await admin.send("POST", `/api/v1/payments/${reference}/refunds`, wish)).toMatchObject({
    status: 409,
    body: { detail: "This payment was not paid." },
  });
  await untouched();
});

test("refused, and nothing changes: of a payment that another provider took", async () => {
  const reference = `pay_${crypto.randomUUID()}`;
  const terms = { provider: "test", reference, amountCents: 500, currency: "USD" };
  await db.insert(payments).values({ userId: player.id, ...terms });
  await applyPayment(db, { ...terms, type: "succeeded", providerRef: null });
  const wish = { refund: { amount: 5, reason: "Asked for it" } };
  expect(await admin.send("POST", `/api/v1/payments/${reference}/refunds`, wish)).toMatchObject({
    status: 409,
    body: { detail: "Another provider took this payment." },
  });
  expect(await balance()).toBe(12_500);
});

test("refused, and nothing changes: a key that belongs to another refund of the payment", async () => {
  await askRefund(5, "taken");
  expect(await askRefund(6, "taken")).toMatchObject({
    status: 422,
    body: { code: "idempotency_key_reused" },
  });
  expect([await balance(), (await shown()).refundedCents]).toEqual([11_500, 500]);
});
