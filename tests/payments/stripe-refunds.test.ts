import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { applyPayment } from "#db/ledger/apply-payment.ts";
import { listDifferences } from "#tests/support/books.ts";
import { audit } from "#db/schema/audit.ts";
import { chargebacks, paymentFlags, payments } from "#db/schema/payments.ts";
import { paymentAnswer, type PaymentView } from "#src/payments/contract.ts";
import { finishRefunds } from "#src/payments/finish-refunds.ts";
import { createServer, type Server } from "#src/server.ts";
import { findWalletView } from "#src/wallet/find-wallet-view.ts";
import { buildAdmin, buildPlayer } from "#tests/support/build.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { type Visitor, visitAs } from "#tests/support/visitor.ts";
import { sayStripe, sessionOf, STRIPE_SECRET } from "./stripe-events.ts";
import { startStripeServer, STRIPE_KEY, type StripeServer } from "./stripe-server.ts";

let stripe: StripeServer;
let deps: TestDeps;
let server: Server;
let admin: Visitor;
let player: { id: number };
let browser: Visitor;
let payment: PaymentView;
let intent: string;
beforeAll(async () => {
  stripe = startStripeServer();
  deps = await buildDeps({
    STRIPE_SECRET_KEY: STRIPE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_SECRET,
    STRIPE_API_URL: stripe.url,
  });
  server = createServer(deps);
  admin = await visitAs(deps, server, await buildAdmin(deps));
});
beforeEach(async () => {
  player = await buildPlayer(deps);
  browser = await visitAs(deps, server, player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
  intent = `pi_${payment.reference}`;
  await say("checkout.session.completed", sessionOf(payment));
});
afterAll(async () => {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  await Promise.all([deps.close(), stripe.stop()]);
});

const say = (type: string, object: object) => sayStripe(server, { type, object });
const aboutRefund = () => ({ object: "refund", payment_intent: intent });
const balance = async () => (await findWalletView(deps.pool.db, player.id)).balanceCents;
const shown = async () =>
  v.parse(paymentAnswer, (await browser.get(`/api/v1/payments/${payment.reference}`)).body).payment;
const askRefund = (amount: number, key: string, reason = "Asked for it") =>
  admin.send(
    "POST",
    `/api/v1/payments/${payment.reference}/refunds`,
    { refund: { amount, reason } },
    { "idempotency-key": key },
  );

describe("a refund made at Stripe", () => {
  test("is taken from the wallet, in parts until it is whole, whatever event tells of it", async () => {
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

  test("that fails is given back, also where the failure is the first that we hear of it", async () => {
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
});

describe("a dispute", () => {
  const dispute = () => ({ id: `dp_${intent}`, payment_intent: intent, amount: 2_000, currency: "usd" });

  test("takes the money, and gives it back when it is won", async () => {
    await say("charge.dispute.funds_withdrawn", dispute());
    expect([await balance(), (await shown()).state]).toEqual([10_000, "refunded"]);
    await Promise.all([1, 2, 3].map(() => say("charge.dispute.funds_reinstated", dispute())));
    await say("charge.dispute.funds_withdrawn", dispute());
    expect([await balance(), (await shown()).state]).toEqual([12_000, "succeeded"]);
  });

  test("that was won before we heard that the money went moves nothing", async () => {
    await say("charge.dispute.funds_reinstated", dispute());
    await say("charge.dispute.funds_withdrawn", dispute());
    expect([await balance(), (await shown()).state]).toEqual([12_000, "succeeded"]);
  });
});

describe("a refund that an admin asks for", () => {
  test("is done by Stripe, taken from the wallet, audited, and told; sent again it is the same", async () => {
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
    const lines = await deps.pool.db.select().from(audit).where(eq(audit.subjectId, payment.id));
    expect(lines).toMatchObject([{ action: "refund_payment", reason: "Asked for it" }]);
    const { body } = await browser.get("/api/v1/transactions?per_page=1");
    expect(body).toMatchObject({
      transactions: [{ kind: "refund", amountCents: -500, memo: "Payment refunded: Asked for it" }],
    });
  });

  test("never gives more away than was paid, however many are asked for at once", async () => {
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
});

describe("a refund that is asked for, and whose answer goes astray", () => {
  test("is asked for again by itself, and done once", async () => {
    stripe.breakWith("late");
    expect(await askRefund(5, "lost")).toMatchObject({
      status: 503,
      body: { code: "payments_unavailable" },
    });
    expect(await balance()).toBe(12_000);
    stripe.breakWith(null);
    await finishRefunds(deps);
    expect(await balance()).toBe(12_000);
    await deps.pool.db.execute(
      sql`SET session_replication_role = replica; UPDATE chargebacks SET created_at = created_at - interval '2 minutes';
        SET session_replication_role = origin`,
    );
    await finishRefunds(deps);
    expect([await balance(), (await askRefund(5, "lost")).status]).toEqual([11_500, 201]);
    expect(stripe.refunds.filter((made) => made.payment_intent === intent).length).toBe(1);
  });

  test("is found by our own number where Stripe's event overtakes the answer", async () => {
    stripe.breakWith("late");
    await askRefund(5, "overtaken");
    stripe.breakWith(null);
    await say("refund.created", aboutRefund());
    expect(await balance()).toBe(11_500);
    expect((await askRefund(5, "overtaken")).status).toBe(201);
    expect((await shown()).chargebacks.length).toBe(1);
    expect(await balance()).toBe(11_500);
  });

  test("and that a dispute has overtaken is not booked but flagged, until the dispute is won", async () => {
    const dispute = { id: `dp_${intent}`, payment_intent: intent, amount: 2_000, currency: "usd" };
    stripe.breakWith("late");
    await askRefund(5, "disputed");
    stripe.breakWith(null);
    await say("charge.dispute.funds_withdrawn", dispute);
    expect(await askRefund(5, "disputed")).toMatchObject({ status: 409, body: { code: "conflict" } });
    const flags = () =>
      deps.pool.db.select().from(paymentFlags).where(eq(paymentFlags.reference, payment.reference));
    expect(await flags()).toMatchObject([{ code: "wrong_amount", closedAt: null }]);
    expect([await balance(), (await shown()).refundedCents]).toEqual([10_000, 2_000]);
    await say("charge.dispute.funds_reinstated", dispute);
    expect((await askRefund(5, "disputed")).status).toBe(201);
    expect([await balance(), (await shown()).refundedCents]).toEqual([11_500, 500]);
    expect(await flags()).toMatchObject([{ closedAt: expect.any(Date) }]);
  });

  test("or is a refusal, moves nothing, and says so again", async () => {
    stripe.refund(intent, 1_990);
    for (const _ of [1, 2])
      expect(await askRefund(5, "refused")).toMatchObject({ status: 422, body: { code: "refund_refused" } });
    expect(await balance()).toBe(12_000);
    expect(await shown()).toMatchObject({ refundedCents: 0, chargebacks: [{ state: "refused" }] });
  });
});

describe("refused, and nothing changes:", () => {
  const untouched = async () => {
    expect(await balance()).toBe(12_000);
    expect(await deps.pool.db.$count(chargebacks, eq(chargebacks.paymentId, payment.id))).toBe(0);
  };

  test("an amount that is none, and a refund without a reason", async () => {
    const path = `/api/v1/payments/${payment.reference}/refunds`;
    for (const refund of [
      { amount: 0, reason: "x" },
      { amount: 5.005, reason: "x" },
      { amount: 5 },
      { amount: 5, reason: " " },
    ])
      expect((await admin.send("POST", path, { refund })).status).toBe(422);
    await untouched();
  });

  test("by whoever is no admin, or a payment that is not there", async () => {
    const wish = { refund: { amount: 5, reason: "Mine" } };
    const path = `/api/v1/payments/${payment.reference}/refunds`;
    expect((await browser.send("POST", path, wish)).status).toBe(403);
    expect((await admin.send("POST", "/api/v1/payments/none/refunds", wish)).status).toBe(404);
    await untouched();
  });

  test("of a payment that was not paid", async () => {
    const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
    const { reference } = v.parse(paymentAnswer, body).payment;
    const wish = { refund: { amount: 5, reason: "Asked for it" } };
    expect(await admin.send("POST", `/api/v1/payments/${reference}/refunds`, wish)).toMatchObject({
      status: 409,
      body: { detail: "This payment was not paid." },
    });
    await untouched();
  });

  test("of a payment that another provider took", async () => {
    const reference = `pay_${crypto.randomUUID()}`;
    const terms = { provider: "test", reference, amountCents: 500, currency: "USD" };
    await deps.pool.db.insert(payments).values({ userId: player.id, ...terms });
    await applyPayment(deps.pool.db, { ...terms, type: "succeeded", providerRef: null });
    const wish = { refund: { amount: 5, reason: "Asked for it" } };
    expect(await admin.send("POST", `/api/v1/payments/${reference}/refunds`, wish)).toMatchObject({
      status: 409,
      body: { detail: "Another provider took this payment." },
    });
    expect(await balance()).toBe(12_500);
  });

  test("a key that belongs to another refund of the payment", async () => {
    await askRefund(5, "taken");
    expect(await askRefund(6, "taken")).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused" },
    });
    expect([await balance(), (await shown()).refundedCents]).toEqual([11_500, 500]);
  });
});
