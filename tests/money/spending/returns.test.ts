import { beforeEach, expect, test } from "bun:test";
import { and, eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { chargebacks, payments } from "#db/schema/payments.ts";
import { finishRefunds } from "#src/money/payments/refund-payment.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { spendingAnswer } from "#src/money/spending/schemas.ts";
import { sayStripe, sessionOf, stripeVariables } from "#tests/money/payments/stripe-events.ts";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { readSpots } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { runClock } from "#tests/support/database.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { testWorld } from "#tests/support/world.ts";

const DAY_MS = 86_400_000;
const PLAY_CENTS = 1_000;
const PAID_CENTS = 2_000;

let player: { id: number };
let browser: TestClient;
let payment: PaymentView;

const stripe = startStripeServer();
const variables = { ...stripeVariables(stripe), RATE_LIMITS: "off" };
const world = await testWorld(variables, { poolSize: 10 });
const { deps, db, build, by, server, client, unchanged, read } = world;
const admin = await client(await build.admin());
const session = await build.runningSession();
afterFile(() => stripe.stop());
afterTest(async () => {
  stripe.breakWith(null);
  await runClock(deps.pool);
});

async function begin() {
  player = await build.player({ balanceCents: PLAY_CENTS });
  browser = await client(player);
  payment = await paidIn();
}
beforeEach(begin);

async function paidIn(): Promise<PaymentView> {
  const { body } = await browser.send("POST", "/api/v1/payments", { payment: { amount: PAID_CENTS / 100 } });
  const { payment: made } = v.parse(paymentAnswer, body);
  await sayStripe(server, { type: "checkout.session.completed", object: sessionOf(made) });
  return made;
}
const openSpot = async () => {
  const { id } = await build.event("open", { sessionId: session.id });
  return { eventId: id, spotId: (await readSpots(deps, id)).true.id };
};
const call = (spotId: number, cents: number) =>
  browser.send("POST", "/api/v1/calls", { call: { spot_id: spotId, wager: cents / 100 } });
const back = (which = payment, key: string = crypto.randomUUID()) =>
  browser.send("POST", `/api/v1/payments/${which.reference}/return`, {}, { "idempotency-key": key });
const unused = async () =>
  v
    .parse(spendingAnswer, (await browser.get("/api/v1/spending")).body)
    .spending.unused.map(({ reference, amountCents }) => [reference, amountCents]);
const refundedAt = (which: PaymentView) =>
  stripe.refunds
    .filter(({ payment_intent: intent, status }) => intent === `pi_${which.reference}` && status !== "failed")
    .reduce((total, { amount }) => total + amount, 0);

test("calls use what was in the wallet before first, and what they leave of a deposit goes back once", async () => {
  const { spotId } = await openSpot();
  await call(spotId, PLAY_CENTS);
  expect(await unused()).toEqual([[payment.reference, PAID_CENTS]]);
  await call(spotId, 500);
  expect(await unused()).toEqual([[payment.reference, 1_500]]);
  expect(await back()).toMatchObject({
    status: 201,
    body: {
      payment: { refundedCents: 1_500, chargebacks: [{ cause: "refund", state: "taken", amount: 15 }] },
    },
  });
  expect(refundedAt(payment)).toBe(1_500);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: 0, heldCents: 1_500, owedCents: 0 });
  const told = and(eq(notifications.userId, player.id), eq(notifications.title, "Refunded: $15.00"));
  expect(await db.$count(notifications, told)).toBe(1);
  expect(await unchanged(() => back())).toMatchObject({ status: 422, body: { code: "nothing_unused" } });
});

test("a deposit that was wagered does not go back, also when it was won back, and a call that was taken back wagers nothing", async () => {
  const { eventId, spotId } = await openSpot();
  const { body } = await call(spotId, PLAY_CENTS + PAID_CENTS);
  expect(await unused()).toEqual([]);
  const { call: placed } = v.parse(v.object({ call: v.object({ id: v.number() }) }), body);
  await browser.send("DELETE", `/api/v1/calls/${placed.id}`);
  expect(await unused()).toEqual([[payment.reference, PAID_CENTS]]);
  await call(spotId, PLAY_CENTS + PAID_CENTS);
  const rival = await build.player();
  await build.call({ userId: rival.id, eventId, side: "false" });
  await by(null).close(eventId);
  await by(null).settle(eventId, "true");
  expect((await unchanged(() => back())).status).toBe(422);
});

test("a correction that takes back what a call has won uses nothing more of the deposit than the call has", async () => {
  const { eventId, spotId } = await openSpot();
  await call(spotId, PLAY_CENTS + 500);
  const rival = await build.player();
  await build.call({ userId: rival.id, eventId, side: "false" });
  await by(null).close(eventId);
  await by(null).settle(eventId, "true");
  expect(await unused()).toEqual([[payment.reference, 1_500]]);
  await by(null).settle(eventId, "false", { reason: "The wrong one was shown" });
  expect(await unused()).toEqual([[payment.reference, 1_500]]);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: 1_500, owedCents: 0 });
});

test("of two deposits each goes back for itself, in any order", async () => {
  const second = await paidIn();
  const { spotId } = await openSpot();
  await call(spotId, PLAY_CENTS + 700);
  expect(await unused()).toEqual([
    [payment.reference, 1_300],
    [second.reference, PAID_CENTS],
  ]);
  await back();
  expect(await unused()).toEqual([[second.reference, PAID_CENTS]]);
  await back(second);
  expect([refundedAt(payment), refundedAt(second)]).toEqual([1_300, PAID_CENTS]);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: 0, owedCents: 0 });
});

test("a deposit goes back after a later one of a wallet that was empty before both", async () => {
  player = await build.player({ balanceCents: 0 });
  browser = await client(player);
  const [first, second] = [await paidIn(), await paidIn()];
  const { spotId } = await openSpot();
  await call(spotId, 300);
  await back(second);
  expect(await unused()).toEqual([[first.reference, PAID_CENTS - 300]]);
  await back(first);
  expect([refundedAt(first), refundedAt(second)]).toEqual([PAID_CENTS - 300, PAID_CENTS]);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: 0, heldCents: 300, owedCents: 0 });
});

test("after 14 days, of another player, and of an unknown payment nothing goes back", async () => {
  const stranger = await client(await build.player());
  const theirs = () => stranger.send("POST", `/api/v1/payments/${payment.reference}/return`, {});
  expect((await unchanged(theirs)).status).toBe(404);
  await runClock(deps.pool, { aheadMs: 14 * DAY_MS + 1_000 });
  expect((await unchanged(() => back())).status).toBe(422);
});

test("while Stripe is away the money has left the wallet, and the schedule asks again until it is refunded", async () => {
  stripe.breakWith("late");
  expect((await back()).status).toBe(201);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: PLAY_CENTS });
  stripe.breakWith(null);
  await olderRefunds();
  await Promise.all([finishRefunds(deps), finishRefunds(deps)]);
  await finishRefunds(deps);
  expect(refundedAt(payment)).toBe(PAID_CENTS);
  const [row] = await db.select().from(chargebacks).where(eq(chargebacks.paymentId, payment.id));
  expect(row).toMatchObject({ state: "taken", providerRef: expect.stringMatching(/^re_/) });
});

test("what Stripe refuses to refund is in the wallet again", async () => {
  stripe.refund(`pi_${payment.reference}`, PAID_CENTS);
  expect(await back()).toMatchObject({ status: 422, body: { code: "refund_refused" } });
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: PLAY_CENTS + PAID_CENTS });
  await olderRefunds();
  await finishRefunds(deps);
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: PLAY_CENTS + PAID_CENTS });
});

test("a refund that fails at Stripe later is in the wallet again", async () => {
  await back();
  for (const made of stripe.refunds)
    if (made.payment_intent === `pi_${payment.reference}`) made.status = "failed";
  const object = { object: "refund", payment_intent: `pi_${payment.reference}` };
  await sayStripe(server, { type: "refund.failed", object });
  expect(await read.wallet(player.id)).toMatchObject({ availableCents: PLAY_CENTS + PAID_CENTS });
});

/** As if what is asked now had been asked two minutes ago. */
async function olderRefunds(): Promise<void> {
  await db.execute(sql`ALTER TABLE chargebacks DISABLE TRIGGER USER`);
  await db.execute(sql`UPDATE chargebacks SET created_at = created_at - interval '2 minutes'`);
  await db.execute(sql`ALTER TABLE chargebacks ENABLE TRIGGER USER`);
}

const ROUNDS = roundsOf({ daily: 10, many: 1_000 });

test("what goes back goes back once, whatever comes at the same moment: calls, an admin's refund, a dispute, the end of the account", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    if (round > 0) await begin();
    await givePassword(deps, player.id);
    const { spotId } = await openSpot();
    const refund = () =>
      admin.send("POST", `/api/v1/payments/${payment.reference}/refunds`, {
        refund: { amount: 3, reason: "Asked for it" },
      });
    const dispute = {
      id: `dp_${payment.reference}`,
      payment_intent: `pi_${payment.reference}`,
      amount: 700,
      currency: "usd",
    };
    const isIn = (at: number) => (round >> at) % 2 === 0;
    const others = [
      () => call(spotId, 900),
      () => call(spotId, 1_100),
      refund,
      () => sayStripe(server, { type: "charge.dispute.funds_withdrawn", object: dispute }),
      () => browser.send("PUT", "/api/v1/users/me/delete", { user: { current_password: PASSWORD } }),
    ].filter((_, at) => isIn(at));
    const key = `one-${round}`;
    await Promise.all([back(payment, key), back(payment, key), back(), ...others.map((each) => each())]);
    const rows = await db.select().from(chargebacks).where(eq(chargebacks.paymentId, payment.id));
    const own = rows.filter(({ reason }) => reason === "Not used");
    expect(own.length).toBeLessThanOrEqual(1);
    const [row] = await db.select().from(payments).where(eq(payments.id, payment.id));
    expect(row?.refundedCents).toBeLessThanOrEqual(PAID_CENTS);
    const taken = rows.filter(({ cause, state }) => cause === "refund" && state === "taken");
    expect(refundedAt(payment)).toBe(taken.reduce((total, { amountCents }) => total + amountCents, 0));
    const placed = await db.select().from(calls).where(eq(calls.userId, player.id));
    const wagered = placed.reduce((total, { wagerCents }) => total + wagerCents, 0);
    const { heldCents, availableCents, owedCents } = await read.wallet(player.id);
    expect(heldCents).toBe(wagered);
    expect(availableCents - owedCents).toBe(PLAY_CENTS + PAID_CENTS - (row?.refundedCents ?? 0) - wagered);
    // The player's own tap makes no debt: only an admin's refund and a dispute can.
    if (!isIn(2) && !isIn(3)) expect(owedCents).toBe(0);
  }
});
