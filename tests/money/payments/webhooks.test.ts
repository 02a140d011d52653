import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { paymentFlags, payments, webhookEvents } from "#db/schema/payments.ts";
import { booksAnswer } from "#src/books/schemas.ts";
import { SIGNATURE_HEADER, signWebhook } from "#src/money/payments/provider.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { adjustWallet } from "#src/money/wallet/adjust-wallet.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { about, messageOf, post, postSigned, type Said } from "./webhook.ts";

const SECRET = "the new secret of the provider";
const OLD_SECRET = "the old secret of the provider";
let player: { id: number };
let browser: TestClient;
let payment: PaymentView;

const { deps, db, build, server, client, read, signedIn } = await testWorld({
  PAYMENTS_WEBHOOK_SECRET: `${SECRET},${OLD_SECRET}`,
});
const [admin, staff] = await signedIn.admin();

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
});

const send = (body: string, secret = SECRET) => postSigned(server, body, secret);
const say = (changes: Partial<Said> = {}, secret = SECRET) => send(about(payment, changes), secret);
const shown = async () =>
  (await browser.read(`/api/v1/payments/${payment.reference}`, paymentAnswer)).payment;
const state = async () => (await shown()).state;
const balance = async () => (await findWalletView(db, player.id)).balanceCents;

test("a success adds the amount to the wallet and notifies the player", async () => {
  expect(await say()).toBe(200);
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

test("a success counts once if it comes twenty times at once and in two messages, and again later", async () => {
  const message = about(payment);
  const answers = await Promise.all([say(), ...Array.from({ length: 20 }, () => send(message))]);
  expect([...answers, await send(message)].every((status) => status === 200)).toBe(true);
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
});

test("a success wins over an earlier failure, and a later failure is ignored", async () => {
  await say({ type: "payment.failed" });
  expect([await balance(), await state()]).toEqual([10_000, "failed"]);
  await say();
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
  expect(await say({ type: "payment.failed" })).toBe(200);
  expect([await balance(), await state()]).toEqual([12_000, "succeeded"]);
});

test("a success that comes before its payment is accepted at the provider's next attempt", async () => {
  const early = { id: "evt_early", reference: "pay_later", amountCents: 500 };
  expect(await send(messageOf(early))).toBe(404);
  await db.insert(payments).values({
    userId: player.id,
    provider: "test",
    reference: "pay_later",
    amountCents: 500,
    currency: "USD",
  });
  expect(await send(messageOf(early))).toBe(200);
  expect(await balance()).toBe(10_500);
});

test("a refund takes the deposit back once, and the rest becomes debt", async () => {
  await say();
  const spent = {
    userId: player.id,
    actor: await build.player(),
    amountCents: -11_500,
    reason: "Spent",
    idempotencyKey: "spent",
  };
  await adjustWallet(deps, spent);
  const refund = { type: "payment.refunded" };
  expect(await Promise.all([say(refund), say(refund)])).toEqual([200, 200]);
  expect(await state()).toBe("refunded");
  expect(await say()).toBe(200);
  expect(await findWalletView(db, player.id)).toMatchObject({ balanceCents: 0, owedCents: 1_500 });
});

const untouched = async () => {
  expect([await balance(), await state()]).toEqual([10_000, "pending"]);
};

test("refused, and nothing changes: another amount or currency, which is flagged", async () => {
  expect(await say({ amountCents: 200_000 })).toBe(422);
  expect(await say({ currency: "EUR" })).toBe(422);
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
    expect([body, await send(body)]).toEqual([body, 400]);
  }
  expect(await send("x".repeat(1_100_000))).toBe(413);
  await untouched();
  expect(await db.$count(webhookEvents, eq(webhookEvents.providerEventId, "evt_1"))).toBe(0);
});

test("during a change of secrets, messages signed with either are accepted", async () => {
  expect(await say({}, OLD_SECRET)).toBe(200);
  expect(await balance()).toBe(12_000);
});

const openFlags = async () => {
  const { books } = await staff.read("/api/v1/books", booksAnswer);
  return books.paymentFlags.filter(({ reference }) => reference === payment.reference);
};

test("partial refunds cannot exceed the payment: more is refused and notified to the staff", async () => {
  await say();
  const part = (chargeback: string, amountCents: number) =>
    say({ type: "payment.refunded", chargeback, amountCents });
  expect(await Promise.all([part("a", 700), part("a", 700), part("b", 700)])).toEqual([200, 200, 200]);
  expect(await part("c", 601)).toBe(422);
  expect(await part("a", 600)).toBe(422);
  expect([await balance(), (await shown()).refundedCents]).toEqual([10_600, 1_400]);
  expect(await openFlags()).toMatchObject([
    { code: "wrong_amount", detail: "only 600 of 2000 are left to take back, not 601", userId: player.id },
    { code: "wrong_amount", detail: "the refund is of 700, not of 600" },
  ]);
  const received = await read.told(admin.id);
  expect(received.slice(-2)).toMatchObject([{ title: "A payment does not match", url: "/admin/books" }, {}]);
  expect(await part("c", 600)).toBe(200);
  expect(await shown()).toMatchObject({ state: "refunded", refundedCents: 2_000 });
  expect(await balance()).toBe(10_000);
});

test("every movement of money notifies the player with a link to the payment", async () => {
  await say();
  await say({ type: "payment.disputed" });
  await say({ type: "payment.reinstated" });
  await say({ type: "payment.refunded", chargeback: "a", amountCents: 500 });
  const received = await read.told(player.id);
  expect(received.map(({ title }) => title)).toEqual([
    "Paid in: $20.00",
    "Disputed: $20.00",
    "Back in your wallet: $20.00",
    "Refunded: $5.00",
  ]);
  expect(new Set(received.map(({ url }) => url))).toEqual(
    new Set([`/profile/wallet?payment=${payment.reference}`]),
  );
});

test("an early message is flagged and counted, and its flag closes when it succeeds", async () => {
  const refund = { id: `evt_early_${payment.id}`, type: "payment.refunded" };
  expect([await say(refund), await say(refund)]).toEqual([409, 409]);
  expect(await openFlags()).toMatchObject([{ code: "not_paid_yet", timesSeen: 2 }]);
  await say();
  expect(await say(refund)).toBe(200);
  expect(await openFlags()).toEqual([]);
});

test("a message about an unknown payment is flagged, and an admin closes the flag with a note", async () => {
  const reference = `pay_unknown_${payment.id}`;
  expect(await postSigned(server, messageOf({ reference, amountCents: 500 }), SECRET)).toBe(404);
  payment = { ...payment, reference };
  const [flag, ...others] = await openFlags();
  expect(others).toEqual([]);
  expect(flag).toMatchObject({ code: "unknown_payment", userId: null, timesSeen: 1 });
  const path = `/api/v1/payment_flags/${flag?.id}/close`;
  const wish = { payment_flag: { note: "Of another shop" } };
  expect((await browser.send("PUT", path, wish)).status).toBe(403);
  expect((await staff.send("PUT", path, { payment_flag: { note: " " } })).status).toBe(422);
  expect((await staff.send("PUT", "/api/v1/payment_flags/999999/close", wish)).status).toBe(404);
  expect((await openFlags()).length).toBe(1);
  for (const _ of [1, 2])
    expect(await staff.send("PUT", path, wish)).toMatchObject({
      status: 200,
      body: { paymentFlag: { note: "Of another shop" } },
    });
  expect(await openFlags()).toEqual([]);
  expect(await read.audit({ subjectType: "payment_flag" })).toMatchObject([
    { action: "close_payment_flag", actorId: admin.id, reason: "Of another shop" },
  ]);
});

test("a player reads the own payments, newest first; admins read all", async () => {
  await browser.send("POST", "/api/v1/payments", { payment: { amount: 5 } });
  expect((await browser.get("/api/v1/payments?per_page=1")).body).toMatchObject({
    payments: [{ amountCents: 500, state: "pending" }],
    meta: { totalCount: 2, totalPages: 2 },
  });
  const whose = `/api/v1/payments?user_id=${player.id}`;
  expect((await staff.get(whose)).body).toMatchObject({
    payments: [{ amountCents: 500 }, { amountCents: 2_000 }],
  });
  const other = await client(await build.player());
  expect((await other.get(whose)).status).toBe(404);
  expect(await db.$count(payments, eq(payments.userId, player.id))).toBe(2);
});
