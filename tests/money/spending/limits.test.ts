import { expect, test } from "bun:test";
import * as v from "valibot";
import { paymentAnswer } from "#src/money/payments/schemas.ts";
import { spendingAnswer } from "#src/money/spending/schemas.ts";
import { createServer } from "#src/server.ts";
import { about, postSigned } from "#tests/money/payments/webhook.ts";
import { afterTest } from "#tests/support/after-file.ts";
import type { TestClient } from "#tests/support/client.ts";
import { runClock, stopClockAt } from "#tests/support/database.ts";
import { testWorld } from "#tests/support/world.ts";

const SECRET = "the secret of the test provider";
const world = await testWorld({
  DEPOSIT_MAX_WEEK: "100.00",
  RATE_LIMITS: "off",
  PAYMENTS_WEBHOOK_SECRET: SECRET,
});
const { deps, build, client, unchanged } = world;
const server = createServer(deps);
const NOON = new Date("2026-12-01T12:00:00.000Z");
const after = (hours: number) => stopClockAt(deps.pool, new Date(NOON.getTime() + hours * 3_600_000));

afterTest(() => runClock(deps.pool));

async function newPlayer() {
  await after(0);
  return client(await build.player());
}
const pay = (browser: TestClient, amount: number) =>
  browser.send("POST", "/api/v1/payments", { payment: { amount } });
const limit = async (browser: TestClient, days: number, amount: number | null) =>
  v.parse(
    spendingAnswer,
    (await browser.send("PUT", `/api/v1/spending/limits/${days}`, { limit: { amount } })).body,
  ).spending;
const paidIn = async (browser: TestClient, amount: number) => {
  const { payment } = v.parse(paymentAnswer, (await pay(browser, amount)).body);
  expect(await postSigned(server, about(payment), SECRET)).toBe(200);
  return payment;
};

test("a refusal says which limit it is, what it leaves, and from when more is possible, and nothing changes", async () => {
  const browser = await newPlayer();
  await limit(browser, 1, 50);
  await paidIn(browser, 30);
  await after(1);
  expect(await unchanged(() => pay(browser, 20.01))).toMatchObject({
    status: 422,
    body: {
      code: "deposit_limit",
      errors: { deposit: ["is over a limit"] },
      detail:
        "Your limit of $50.00 within 24 hours leaves $20.00. More is possible from 2 Dec 2026 12:00 UTC.",
    },
  });
  await paidIn(browser, 20);
  await after(24);
  await paidIn(browser, 30);
  expect(await unchanged(() => pay(browser, 20.01))).toMatchObject({
    body: {
      detail: "Your limit of $50.00 within 24 hours is reached. More is possible from 2 Dec 2026 13:00 UTC.",
    },
  });
  await after(25);
  expect(await unchanged(() => pay(browser, 20.01))).toMatchObject({
    body: {
      detail:
        "The site's limit of $100.00 within 7 days leaves $20.00. More is possible from 8 Dec 2026 12:00 UTC.",
    },
  });
});

test("an open checkout counts, a declined one does not, and a refunded deposit does not", async () => {
  const browser = await newPlayer();
  const { payment } = v.parse(paymentAnswer, (await pay(browser, 100)).body);
  expect((await pay(browser, 1)).status).toBe(422);
  await postSigned(server, about(payment, { type: "payment.failed" }), SECRET);
  const paid = await paidIn(browser, 100);
  expect((await pay(browser, 1)).status).toBe(422);
  await postSigned(server, about(paid, { type: "payment.refunded", amountCents: 4_000 }), SECRET);
  expect((await pay(browser, 40.01)).status).toBe(422);
  expect((await pay(browser, 40)).status).toBe(201);
});

test("what an open checkout takes of a limit is said to be there, and never to last as long as a deposit", async () => {
  const browser = await newPlayer();
  const detailOf = async () =>
    v.parse(v.object({ detail: v.string() }), (await pay(browser, 50)).body).detail;
  const { payment } = v.parse(paymentAnswer, (await pay(browser, 60)).body);
  const limitOf = "The site's limit of $100.00 within 7 days leaves";
  expect(await detailOf()).toBe(
    `${limitOf} $40.00. $60.00 of it is in open checkouts, and counts until they are paid or have ended.`,
  );
  await paidIn(browser, 40);
  await after(1);
  expect(await detailOf()).toBe(
    "The site's limit of $100.00 within 7 days is reached. $60.00 of it is in open checkouts, and counts until they are paid or have ended. " +
      "More is possible from 8 Dec 2026 12:00 UTC.",
  );
  await postSigned(server, about(payment, { type: "payment.failed" }), SECRET);
  expect((await pay(browser, 60)).status).toBe(201);
});

test("the same Idempotency-Key is the same checkout, also when the limit is reached", async () => {
  const browser = await newPlayer();
  const send = () =>
    browser.send("POST", "/api/v1/payments", { payment: { amount: 100 } }, { "idempotency-key": "one" });
  const first = await send();
  expect(await send()).toMatchObject({ status: 201, body: first.body });
});

test("a webhook that comes late is booked, whatever has become of the limit", async () => {
  const browser = await newPlayer();
  const { payment } = v.parse(paymentAnswer, (await pay(browser, 80)).body);
  await limit(browser, 30, 5);
  await browser.send("PUT", "/api/v1/spending/break", { break: { period: "day" } });
  expect(await postSigned(server, about(payment), SECRET)).toBe(200);
  expect((await browser.get(`/api/v1/payments/${payment.reference}`)).body).toMatchObject({
    payment: { state: "succeeded" },
  });
});

test("a declined test checkout cannot be paid later, when nothing counts it", async () => {
  const browser = await newPlayer();
  const { payment } = v.parse(paymentAnswer, (await pay(browser, 100)).body);
  const end = (outcome: string) =>
    browser.send("POST", `/api/v1/payments/${payment.reference}/test`, { payment: { outcome } });
  expect((await end("failed")).status).toBe(200);
  expect((await unchanged(() => end("succeeded"))).status).toBe(409);
});

test("a first or lower limit holds at once, a higher one after 24 hours and a second yes", async () => {
  const browser = await newPlayer();
  const held = async () => (await limitsOf(browser))[0];
  await limit(browser, 7, 60);
  await limit(browser, 7, 20);
  expect((await pay(browser, 20.01)).status).toBe(422);
  const asked = await limit(browser, 7, 50);
  expect(asked.limits).toEqual([
    { days: 7, amountCents: 2_000, nextCents: 5_000, nextAt: "2026-12-02T12:00:00.000Z" },
  ]);
  await after(23.9);
  await limit(browser, 7, 50);
  expect(await held()).toMatchObject({ amountCents: 2_000, nextAt: "2026-12-02T12:00:00.000Z" });
  expect((await pay(browser, 20.01)).status).toBe(422);
  await after(24);
  expect(await held()).toMatchObject({ amountCents: 2_000 });
  expect((await pay(browser, 20.01)).status).toBe(422);
  await limit(browser, 7, 50);
  expect(await held()).toMatchObject({ amountCents: 5_000, nextAt: null });
  expect((await pay(browser, 50)).status).toBe(201);
});

test("another wish begins the 24 hours again, a lower limit takes the wish back, and no limit is a higher one", async () => {
  const browser = await newPlayer();
  await limit(browser, 1, 20);
  await limit(browser, 1, 50);
  await after(20);
  await limit(browser, 1, null);
  await after(25);
  await limit(browser, 1, null);
  expect((await limitsOf(browser))[0]).toMatchObject({ amountCents: 2_000, nextCents: null });
  await limit(browser, 1, 10);
  expect((await limitsOf(browser))[0]).toMatchObject({ amountCents: 1_000, nextAt: null });
  await limit(browser, 1, null);
  await after(50);
  await limit(browser, 1, null);
  expect((await limitsOf(browser))[0]).toMatchObject({ amountCents: null, nextAt: null });
});

async function limitsOf(browser: TestClient) {
  return v.parse(spendingAnswer, (await browser.get("/api/v1/spending")).body).spending.limits;
}
