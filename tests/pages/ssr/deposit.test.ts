import { expect, test } from "bun:test";
import { payments } from "#db/schema/payments.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { createServer } from "#src/server.ts";
import { startStripeServer, STRIPE_KEY } from "#tests/money/payments/stripe-server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";

const WALLET = "/profile/wallet";

const deps = await testDeps();
const server = createServer(deps);
const player: { id: number; email: string | null } = await buildPlayer(deps);
const reader = await readerFor(deps, server, player);

const balance = async () => (await findWalletView(deps.pool.db, player.id)).balanceCents;

test("without JavaScript a player pays in: form, checkout, wallet", async () => {
  const begun = await reader.sendForm(WALLET, { key: "form-1", amount: "12.5" });
  const checkout = begun.location ?? "";
  expect(begun.status).toBe(303);
  expect(checkout).toMatch(/^\/checkout\/pay_[0-9a-f]{40}$/);
  expect((await reader.open(checkout)).html).toContain("Nobody is charged.");

  const paid = await reader.sendForm(checkout, { intent: "succeeded" });
  expect(paid.status).toBe(303);
  expect((await reader.open(paid.location ?? "")).html).toContain("$12.50 is in your wallet.");
  expect(await balance()).toBe(11_250);
  expect((await reader.open(checkout)).html).not.toContain("Decline");
});

test("a declined payment reports that nothing was charged, and can be retried", async () => {
  const before = await balance();
  const { location } = await reader.sendForm(WALLET, { key: "form-2", amount: "5" });
  const declined = await reader.sendForm(location ?? "", { intent: "failed" });
  expect((await reader.open(declined.location ?? "")).html).toContain("nothing was charged");
  expect(await balance()).toBe(before);
  expect((await reader.open(location ?? "")).html).toContain("Decline");
});

test("an amount out of bounds is refused beside its field, and no payment is created", async () => {
  const before = await deps.pool.db.$count(payments);
  const page = await reader.sendForm(WALLET, { key: "form-3", amount: "0.5" });
  expect(page.status).toBe(422);
  expect(page.html).toContain("must be greater than or equal to 1");
  expect(await deps.pool.db.$count(payments)).toBe(before);
});

test("an unknown reference shows the wallet, and no checkout", async () => {
  expect((await reader.open(`${WALLET}?payment=pay_none`)).status).toBe(200);
  expect((await reader.open("/checkout/pay_none")).status).toBe(404);
});

test("with Stripe the form redirects to Stripe, and the page's policy allows it", async () => {
  const stripe = startStripeServer();
  const settings = { secretKey: STRIPE_KEY, webhookSecrets: ["whsec"], apiUrl: stripe.url };
  const withStripe = {
    ...deps,
    env: { ...deps.env, payments: { provider: "stripe" as const, ...settings } },
  };
  const visitor = await readerFor(withStripe, createServer(withStripe), player);
  const page = await visitor.open(WALLET);
  expect(page.headers.get("content-security-policy")).toContain(
    "form-action 'self' https://checkout.stripe.com",
  );
  const begun = await visitor.sendForm(WALLET, { key: "form-4", amount: "5" });
  expect(begun).toMatchObject({ status: 303, location: "https://checkout.stripe.test/cs_test_1" });
  await stripe.stop();
});
