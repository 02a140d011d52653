import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { paymentFlags, payments, webhookEvents } from "#db/schema/payments.ts";
import { SIGNATURE_HEADER, signWebhook } from "#src/money/payments/provider.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { about, messageOf, post, postSigned } from "./webhook.ts";

const SECRET = "the new secret of the provider";
const OLD_SECRET = "the old secret of the provider";
let player: { id: number };
let browser: TestClient;
let payment: PaymentView;

const { deps, db, build, server, client, read } = await testWorld({
  PAYMENTS_WEBHOOK_SECRET: `${SECRET},${OLD_SECRET}`,
});

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
});

const say = (body: string, secret = SECRET) => postSigned(server, body, secret);
const balance = async () => (await findWalletView(db, player.id)).balanceCents;
const state = async () => {
  return (await browser.read(`/api/v1/payments/${payment.reference}`, paymentAnswer)).payment.state;
};

test("a success adds the amount to the wallet and notifies the player", async () => {
  expect(await say(about(payment))).toBe(200);
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
  const received = await read.told(player.id);
  expect(received).toMatchObject([
    { kind: "payment", title: "Paid in: $20.00", url: `/profile/wallet?payment=${payment.reference}` },
  ]);
  const { body } = await browser.get("/api/v1/transactions?per_page=1");
  expect(body).toMatchObject({
    transactions: [{ kind: "deposit", amountCents: 2_000, paymentId: payment.id }],
  });
});

test("a success counts once if it comes twenty times at once, and again later", async () => {
  const message = about(payment);
  const answers = await Promise.all(Array.from({ length: 20 }, () => say(message)));
  expect([...answers, await say(message)].every((status) => status === 200)).toBe(true);
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
});

test("a success counts once if two messages report it", async () => {
  expect(await Promise.all([say(about(payment)), say(about(payment))])).toEqual([200, 200]);
  expect(await balance()).toBe(12_000);
});

test("a success wins over an earlier failure, and a later failure is ignored", async () => {
  await say(about(payment, { type: "payment.failed" }));
  expect([await balance(), await state()]).toEqual([10_000, "failed"]);
  await say(about(payment));
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
  expect(await say(about(payment, { type: "payment.failed" }))).toBe(200);
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
});

test("a success that comes before its payment is accepted at the provider's next attempt", async () => {
  const early = { id: "evt_early", reference: "pay_later", amountCents: 500 };
  expect(await say(messageOf(early))).toBe(404);
  await db.insert(payments).values({
    userId: player.id,
    provider: "test",
    reference: "pay_later",
    amountCents: 500,
    currency: "USD",
  });
  expect(await say(messageOf(early))).toBe(200);
  expect(await balance()).toBe(10_500);
});

test("a refund takes the deposit back once, and the rest becomes debt", async () => {
  await say(about(payment));
  const spent = {
    userId: player.id,
    actor: await build.player(),
    amountCents: -11_500,
    reason: "Spent",
    idempotencyKey: "spent",
  };
  await adjustWallet(deps, spent);
  const refund = about(payment, { type: "payment.refunded" });
  expect(await Promise.all([say(refund), say(about(payment, { type: "payment.refunded" }))])).toEqual([
    200, 200,
  ]);
  expect(await state()).toBe("refunded");
  expect(await say(about(payment))).toBe(200);
  expect(await findWalletView(db, player.id)).toMatchObject({ balanceCents: 0, owedCents: 1_500 });
});

test("a refund that comes before its deposit is refused, and accepted when repeated", async () => {
  const refund = about(payment, { id: `evt_${payment.reference}`, type: "payment.refunded" });
  expect(await say(refund)).toBe(409);
  expect([await balance(), await state()]).toEqual([10_000, "pending"]);
  await say(about(payment));
  expect(await say(refund)).toBe(200);
  expect([await balance(), await state()]).toEqual([10_000, "refunded"]);
});

const untouched = async () => {
  expect([await balance(), await state()]).toEqual([10_000, "pending"]);
};

test("refused, and nothing changes: another amount or currency, which is flagged", async () => {
  expect(await say(about(payment, { amountCents: 200_000 }))).toBe(422);
  expect(await say(about(payment, { currency: "EUR" }))).toBe(422);
  await untouched();
  const flags = await db.select().from(paymentFlags).where(eq(paymentFlags.paymentId, payment.id));
  expect(flags).toMatchObject([
    { code: "wrong_amount", detail: "the payment is of 2000 USD, not of 200000 USD", closedAt: null },
    { code: "wrong_amount", detail: "the payment is of 2000 USD, not of 2000 EUR", closedAt: null },
  ]);
});

test("refused, and nothing changes: a signature that is wrong, missing, of other bytes, or older than five minutes", async () => {
  const message = about(payment);
  const old = new Date(Date.now() - 301_000);
  const signatures = [
    "",
    "t=1,v1=00",
    signWebhook(message, "another secret", new Date()),
    signWebhook(`${message} `, SECRET, new Date()),
    signWebhook(message, SECRET, old),
    signWebhook(message, SECRET, new Date()).replace(/.$/, "g"),
  ];
  for (const signature of signatures) {
    const headers: Record<string, string> = signature === "" ? {} : { [SIGNATURE_HEADER]: signature };
    expect([signature, await post(server, message, headers)]).toEqual([signature, 400]);
  }
  await untouched();
});

test("refused, and nothing changes: a malformed message with a valid signature", async () => {
  for (const body of [
    "",
    "{",
    "[]",
    about(payment, { type: "payment.maybe" }),
    JSON.stringify({ id: "evt_1" }),
  ]) {
    expect([body, await say(body)]).toEqual([body, 400]);
  }
  expect(await say("x".repeat(1_100_000))).toBe(413);
  await untouched();
  expect(await db.$count(webhookEvents, eq(webhookEvents.providerEventId, "evt_1"))).toBe(0);
});

test("during a change of secrets, messages signed with either are accepted", async () => {
  expect(await say(about(payment), OLD_SECRET)).toBe(200);
  expect(await balance()).toBe(12_000);
});
