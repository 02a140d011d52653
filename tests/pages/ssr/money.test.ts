import { beforeEach, expect, test } from "bun:test";
import { applyPayment } from "#db/ledger/apply-payment.ts";
import { payments } from "#db/schema/payments.ts";
import { breaks } from "#db/schema/spending.ts";
import { userRoles } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { startStripeServer, STRIPE_KEY } from "#tests/money/payments/stripe-server.ts";
import { testWorld } from "#tests/support/world.ts";
import { readerFor } from "./browser.ts";
import { oneOf, parsePage } from "./parse-page.ts";

const BOOKS = "/admin/books";
let reference: string;

const { deps, db, build, server } = await testWorld();
const admin = await readerFor(deps, server, await build.admin());
const operating = await build.player();
await db.insert(userRoles).values({ userId: operating.id, role: "operator" });
const operator = await readerFor(deps, server, operating);
const player = await build.player();
const reader = await readerFor(deps, server, player);

beforeEach(async () => {
  reference = `pay_${crypto.randomUUID()}`;
  const terms = { provider: "test", reference, amountCents: 2_000, currency: "USD" };
  await db.insert(payments).values({ userId: player.id, ...terms });
  await applyPayment(db, { ...terms, type: "succeeded", providerRef: null });
});

test("without JavaScript an operator sees unchecked books, checks them, and reads the totals", async () => {
  expect((await operator.open("/sessions")).html).toContain(`href="${BOOKS}"`);
  expect((await operator.open(BOOKS)).html).toContain("Not checked yet");
  expect(await operator.sendForm(BOOKS, { intent: "check" })).toMatchObject({ status: 303, location: BOOKS });
  const { html } = await operator.open(BOOKS);
  expect(html).toMatch(/In balance: \d+ checks, no difference\./);
  for (const text of ["Journals that do not balance", "$0.00"]) expect(html).toContain(text);
  expect((await reader.open("/sessions")).html).not.toContain(`href="${BOOKS}"`);
});

const WALLET = "/profile/wallet";
const PLAYER = `/users/${player.id}`;
const refund = () => ({ intent: "refund", key: "form-refund", reference, reason: "It rained" });

test("without JavaScript a part is refunded from a user's page, once, which the player then sees", async () => {
  for (let sent = 0; sent < 2; sent++)
    expect(await admin.sendForm(PLAYER, { ...refund(), amount: "$7.5" })).toMatchObject({
      status: 303,
      location: PLAYER,
    });
  expect((await admin.open(PLAYER)).html).toContain("Partly refunded");
  const { html } = await reader.open("/profile/wallet/payments");
  for (const text of ["Partly refunded", "$7.50 refunded", "It rained"]) expect(html).toContain(text);
});

test("without JavaScript an amount that cannot be read is refused beside its field, and stays as it was typed", async () => {
  const forms = [
    [reader, WALLET, { key: "form-2" }],
    [admin, PLAYER, { intent: "adjust", key: "form-3", reason: "Too much" }],
    [admin, PLAYER, refund()],
  ] as const;
  for (const [person, path, fields] of forms) {
    const { status, html } = await person.sendForm(path, { ...fields, amount: "1.000" });
    expect(status).toBe(422);
    const page = parsePage(html);
    const wrong = oneOf(page, 'input[name="amount"][aria-invalid="true"]');
    expect(wrong.getAttribute("value")).toBe("1.000");
    const described = (wrong.getAttribute("aria-describedby") ?? "").split(" ");
    expect(described.map((id) => page.getElementById(id)?.textContent).join(" ")).toContain(
      "at most two digits",
    );
  }
});

test("a pending payment links to its checkout, a failed one to a new payment of that amount", async () => {
  const terms = { provider: "test", amountCents: 1_250, currency: "USD", userId: player.id };
  await db.insert(payments).values([
    { ...terms, reference: "pay_waits", checkoutUrl: "https://play.example.com/checkout/pay_waits" },
    { ...terms, reference: "pay_failed" },
  ]);
  const failed = { ...terms, reference: "pay_failed", type: "failed" as const, providerRef: null };
  await applyPayment(db, failed);
  const { html } = await reader.open("/profile/wallet/payments");
  expect(html).toContain('href="/checkout/pay_waits"');
  expect(html).toContain('href="/profile/wallet?amount=12.5"');
  expect((await reader.open("/profile/wallet?amount=12.5")).html).toContain('value="12.5"');
});

test("without JavaScript an open checkout is cancelled, and one that cannot be says why", async () => {
  const path = "/profile/wallet/payments";
  const terms = { provider: "test", amountCents: 1_250, currency: "USD", userId: player.id };
  await db.insert(payments).values([
    { ...terms, reference: "pay_open", checkoutUrl: "https://play.example.com/checkout/pay_open" },
    { ...terms, reference: "pay_not_begun" },
  ]);
  const button = 'input[name="reference"][value="pay_open"]';
  oneOf(parsePage((await reader.open(path)).html), button);
  expect(await reader.sendForm(path, { reference: "pay_open" })).toMatchObject({
    status: 303,
    location: path,
  });
  expect(parsePage((await reader.open(path)).html).querySelector(button)).toBeNull();
  const { status, html } = await reader.sendForm(path, { reference: "pay_not_begun" });
  expect(status).toBe(409);
  expect(html).toContain("This payment has no checkout to end.");
});

test("who deletes an account reads what may go back first, and nothing where nothing may", async () => {
  const path = "/profile/account";
  const back = "of it back first";
  expect((await reader.open(path)).html).toContain(back);
  expect((await operator.open(path)).html).not.toContain(back);
});

test("where payments are turned off for good a break that goes on has its page, and nothing else of it is there", async () => {
  const resting = await build.player();
  await db.insert(breaks).values({ userId: resting.id, period: "week" });
  const off = { ...deps, env: { ...deps.env, payments: { provider: "none" as const } } };
  const path = "/profile/wallet/spending";
  const { status, html } = await (await readerFor(off, createServer(off), resting)).open(path);
  expect(status).toBe(200);
  expect(html).toContain("You are on a break until");
  expect(html).not.toContain("Make it longer");
  expect((await (await readerFor(off, createServer(off), player)).open(path)).status).toBe(404);
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
