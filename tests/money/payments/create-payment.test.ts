import { expect, test } from "bun:test";
import * as v from "valibot";
import { payments } from "#db/schema/payments.ts";
import { paymentAnswer } from "#src/money/payments/schemas.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { createServer } from "#src/server.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, client, unchanged, signedIn, deps } = await testWorld();
const [player, browser] = await signedIn.player();

const pay = (payment: unknown) => browser.send("POST", "/api/v1/payments", { payment });

test("a new payment is pending with a checkout address; its owner finds it by its reference", async () => {
  const { status, body } = await pay({ amount: 12.5, currency: "USD" });
  expect(status).toBe(201);
  const { payment } = v.parse(paymentAnswer, body);
  expect(payment).toMatchObject({ state: "pending", amount: 12.5, amountCents: 1_250, provider: "test" });
  expect(payment.checkoutUrl).toEndWith(`/checkout/${payment.reference}`);
  expect((await browser.get(`/api/v1/payments/${payment.reference}`)).body).toEqual({ payment });
});

test("a payment has the name of its own provider, also of one that this release does not know", async () => {
  const [reference, provider] = ["pay_elsewhere", "elsewhere"];
  await db
    .insert(payments)
    .values({ userId: player.id, provider, reference, amountCents: 100, currency: "USD" });
  const { body } = await browser.get(`/api/v1/payments/${reference}`);
  expect(body).toMatchObject({ payment: { reference, provider } });
});

test("the test checkout ends as the player chooses, by a signed message", async () => {
  const { balanceCents } = await findWalletView(db, player.id);
  for (const [outcome, state, added] of [
    ["failed", "failed", 0],
    ["succeeded", "succeeded", 300],
  ] as const) {
    const { payment } = v.parse(paymentAnswer, (await pay({ amount: 3 })).body);
    const path = `/api/v1/payments/${payment.reference}/test`;
    expect((await browser.send("POST", path, { payment: { outcome } })).body).toMatchObject({
      payment: { state },
    });
    expect((await findWalletView(db, player.id)).balanceCents).toBe(balanceCents + added);
  }
});

const refusals: [string, unknown, Record<string, string[]>][] = [
  ["half a cent", { amount: 5.005 }, { amount: ["is invalid"] }],
];
for (const [what, payment, errors] of refusals) {
  test(`${what} is refused, and no payment is created`, async () => {
    expect(await unchanged(() => pay(payment))).toMatchObject({ status: 422, body: { errors } });
  });
}

test("nobody reads or ends another user's payment", async () => {
  const { payment } = v.parse(paymentAnswer, (await pay({ amount: 3 })).body);
  const other = await client(await build.player());
  const path = `/api/v1/payments/${payment.reference}`;
  expect((await other.get(path)).status).toBe(404);
  expect((await other.send("POST", `${path}/test`, { payment: { outcome: "succeeded" } })).status).toBe(404);
  expect((await browser.get(path)).body).toMatchObject({ payment: { state: "pending" } });
});

test("in production without Stripe there are no payments", async () => {
  const production = { ...deps, env: { ...deps.env, payments: { provider: "none" as const } } };
  const visitor = await signedInClient(production, createServer(production), player);
  expect(
    await unchanged(() => visitor.send("POST", "/api/v1/payments", { payment: { amount: 5 } })),
  ).toMatchObject({ status: 503, body: { code: "payments_unavailable" } });
});
