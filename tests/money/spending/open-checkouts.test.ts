import { expect, test } from "bun:test";
import { eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { payments } from "#db/schema/payments.ts";
import { endCheckoutsOnBreak } from "#src/money/payments/ask-provider.ts";
import { paymentAnswer, type PaymentView } from "#src/money/payments/schemas.ts";
import { sayStripe, sessionOf, stripeVariables } from "#tests/money/payments/stripe-events.ts";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { afterFile } from "#tests/support/after-file.ts";
import type { TestClient } from "#tests/support/client.ts";
import { roundsOf } from "#tests/support/rounds.ts";
import { testWorld } from "#tests/support/world.ts";

const stripe = startStripeServer();
const variables = { ...stripeVariables(stripe), RATE_LIMITS: "off", DEPOSIT_MAX_WEEK: "off" };
const { deps, db, build, server, client, read, unchanged } = await testWorld(variables, { poolSize: 10 });
afterFile(() => stripe.stop());

async function newPlayer() {
  const player = await build.player({ balanceCents: 0 });
  return { player, browser: await client(player) };
}
const order = (browser: TestClient, key: string = crypto.randomUUID()) =>
  browser.send("POST", "/api/v1/payments", { payment: { amount: 20 } }, { "idempotency-key": key });
const open = async (browser: TestClient) => v.parse(paymentAnswer, (await order(browser)).body).payment;
const begin = (browser: TestClient) =>
  browser.send("PUT", "/api/v1/spending/break", { break: { period: "day" } });
const checkoutOf = ({ checkoutUrl }: PaymentView) => /cs_test_\d+/.exec(checkoutUrl ?? "")?.[0] ?? "";
const end = (browser: TestClient, { reference }: PaymentView) =>
  browser.send("PUT", `/api/v1/payments/${reference}/end`, {});
const stateOf = async ({ id }: PaymentView) =>
  (await db.select().from(payments).where(eq(payments.id, id)))[0]?.state;

/** The player pays, unless the checkout has ended. Stripe's message follows. */
async function pay(payment: PaymentView): Promise<boolean> {
  if (stripe.ended.has(checkoutOf(payment))) return false;
  stripe.ended.set(checkoutOf(payment), sessionOf(payment, { status: "complete" }));
  await sayStripe(server, { type: "checkout.session.completed", object: sessionOf(payment) });
  return true;
}

test("a checkout that is open when a break begins ends at the provider, as soon as the provider can be reached, and no other one", async () => {
  const [resting, delayed, playing] = [await newPlayer(), await newPlayer(), await newPlayer()];
  const [ended, coming, goesOn] = [
    await open(resting.browser),
    await open(delayed.browser),
    await open(playing.browser),
  ];
  // It was paid, and the money has not come yet.
  const unpaid = sessionOf(coming, { status: "complete", payment_status: "unpaid" });
  stripe.ended.set(checkoutOf(coming), unpaid);
  for (const { browser } of [resting, delayed]) await begin(browser);
  stripe.breakWith(503);
  await unchanged(() => endCheckoutsOnBreak(deps));
  stripe.breakWith(null);
  await Promise.all([endCheckoutsOnBreak(deps), endCheckoutsOnBreak(deps)]);
  expect(await Promise.all([ended, coming, goesOn].map(stateOf))).toEqual(["failed", "pending", "pending"]);
  expect([await pay(ended), await pay(goesOn)]).toEqual([false, true]);
  await sayStripe(server, { type: "checkout.session.async_payment_succeeded", object: sessionOf(coming) });
  const cents = async ({ player }: typeof resting) => (await read.wallet(player.id)).availableCents;
  expect(await Promise.all([resting, delayed, playing].map(cents))).toEqual([0, 2_000, 2_000]);
});

const ROUNDS = roundsOf({ daily: 10, many: 1_000 });

test("what is paid in the moment in which a break begins is booked and may go back, and what is not cannot be paid any more", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { player, browser } = await newPlayer();
    const payment = await open(browser);
    const beginning = begin(browser);
    if (round % 2 === 0) await beginning;
    const paying = Bun.sleep(round % 20).then(() => pay(payment));
    await Promise.all([beginning, endCheckoutsOnBreak(deps)]);
    const isPaid = await paying;
    await endCheckoutsOnBreak(deps);
    expect(await stateOf(payment)).toBe(isPaid ? "succeeded" : "failed");
    expect((await read.wallet(player.id)).availableCents).toBe(isPaid ? 2_000 : 0);
    if (!isPaid) continue;
    const back = `/api/v1/payments/${payment.reference}/return`;
    expect((await browser.send("POST", back, {}, { "idempotency-key": "back" })).status).toBe(201);
    expect((await read.wallet(player.id)).availableCents).toBe(0);
  }
});

test("a player ends the own open checkout, which cannot be paid then and takes nothing of a limit, and nobody else ends it", async () => {
  const [{ browser }, stranger] = [await newPlayer(), await newPlayer()];
  await browser.send("PUT", "/api/v1/spending/limits/7", { limit: { amount: 20 } });
  const payment = await open(browser);
  expect((await order(browser)).status).toBe(422);
  expect((await unchanged(() => end(stranger.browser, payment))).status).toBe(404);
  stripe.breakWith(503);
  expect((await unchanged(() => end(browser, payment))).status).toBe(503);
  stripe.breakWith(null);
  const ended = { status: 200, body: { payment: { state: "failed" } } };
  expect(await end(browser, payment)).toMatchObject(ended);
  expect(await unchanged(() => end(browser, payment))).toMatchObject(ended);
  expect(await pay(payment)).toBe(false);
  expect((await order(browser)).status).toBe(201);
});

test("a checkout that is paid already is not ended: it is booked, or its money is waited for", async () => {
  const { player, browser } = await newPlayer();
  const [unheard, coming] = [await open(browser), await open(browser)];
  stripe.ended.set(checkoutOf(unheard), sessionOf(unheard, { status: "complete" }));
  stripe.ended.set(checkoutOf(coming), sessionOf(coming, { status: "complete", payment_status: "unpaid" }));
  expect(await end(browser, unheard)).toMatchObject({ body: { payment: { state: "succeeded" } } });
  expect((await unchanged(() => end(browser, coming))).status).toBe(409);
  stripe.breakWith("late");
  const key = "not begun";
  await order(browser, key);
  stripe.breakWith(null);
  const [lost] = await db.select().from(payments).where(isNull(payments.checkoutUrl));
  const path = `/api/v1/payments/${lost?.reference}/end`;
  expect((await unchanged(() => browser.send("PUT", path, {}))).status).toBe(409);
  expect((await read.wallet(player.id)).availableCents).toBe(2_000);
});

test("of a payment and the end of its checkout in the same moment exactly one happens, and the answer says which", async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { player, browser } = await newPlayer();
    const payment = await open(browser);
    const paying = Bun.sleep(round % 10).then(() => pay(payment));
    const answers = await Promise.all([end(browser, payment), end(browser, payment)]);
    const isPaid = await paying;
    const state = isPaid ? "succeeded" : "failed";
    for (const answer of answers) expect(answer).toMatchObject({ status: 200, body: { payment: { state } } });
    expect(await stateOf(payment)).toBe(state);
    expect((await read.wallet(player.id)).availableCents).toBe(isPaid ? 2_000 : 0);
  }
});

test("an order that is sent again later gets a checkout that is open long enough, and after a day none", async () => {
  const { browser } = await newPlayer();
  const lostFor = async (minutes: number) => {
    stripe.breakWith(500);
    const key = `lost for ${minutes}`;
    expect((await order(browser, key)).status).toBe(503);
    stripe.breakWith(null);
    await db.execute(sql`ALTER TABLE payments DISABLE TRIGGER USER`);
    await db.execute(
      sql`UPDATE payments SET created_at = created_at - make_interval(mins => ${minutes}) WHERE checkout_url IS NULL`,
    );
    await db.execute(sql`ALTER TABLE payments ENABLE TRIGGER USER`);
    return () => order(browser, key);
  };
  for (const minutes of [0, 24, 26, 40, 600]) {
    const again = await lostFor(minutes);
    const [one, other] = await Promise.all([again(), again()]);
    expect([one.status, other.status]).toEqual([201, 201]);
    expect(one.body).toEqual(other.body);
    const endsAt = Number(stripe.checkouts.at(-1)?.get("expires_at")) * 1_000;
    expect(endsAt - Date.now()).toBeLessThanOrEqual(3_600_000);
  }
  const tooLate = await lostFor(1_441);
  expect((await unchanged(tooLate)).status).toBe(409);
});
