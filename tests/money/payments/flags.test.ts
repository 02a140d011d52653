import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { payments } from "#db/schema/payments.ts";
import { booksAnswer } from "#src/books/schemas.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { about, messageOf, postSigned, type Said } from "./webhook.ts";

const SECRET = "a secret of the provider";
let player: { id: number };
let browser: TestClient;
let payment: PaymentView;

const { db, build, server, client, read, signedIn } = await testWorld({ PAYMENTS_WEBHOOK_SECRET: SECRET });
const [admin, staff] = await signedIn.admin();

beforeEach(async () => {
  player = await build.player();
  browser = await client(player);
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } });
  ({ payment } = v.parse(paymentAnswer, body));
});

const say = (changes: Partial<Said> = {}) => postSigned(server, about(payment, changes), SECRET);
const balance = async () => (await findWalletView(db, player.id)).balanceCents;
const shown = async () =>
  (await browser.read(`/api/v1/payments/${payment.reference}`, paymentAnswer)).payment;
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
  expect(received).toMatchObject([{ title: "A payment does not match", url: "/admin/books" }, {}]);
  expect(await part("c", 600)).toBe(200);
  expect(await shown()).toMatchObject({ state: "refunded", refundedCents: 2_000 });
  expect(await balance()).toBe(10_000);
});

test("a dispute takes what a refund has left, and a won dispute is returned", async () => {
  await say();
  await say({ type: "payment.refunded", chargeback: "a", amountCents: 500 });
  await say({ type: "payment.disputed", chargeback: "d", amountCents: 1_500 });
  expect([await balance(), (await shown()).state]).toEqual([10_000, "refunded"]);
  await say({ type: "payment.reinstated", chargeback: "d", amountCents: 1_500 });
  await say({ type: "payment.refund_failed", chargeback: "a", amountCents: 500 });
  expect([await balance(), (await shown()).state]).toEqual([12_000, "succeeded"]);
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
  const lines = await read.audit({ subjectType: "payment_flag" });
  expect(lines).toMatchObject([
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
