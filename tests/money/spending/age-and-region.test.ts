import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { payments } from "#db/schema/payments.ts";
import { statedAges } from "#db/schema/spending.ts";
import { readEnv } from "#src/settings/env.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { testWorld } from "#tests/support/world.ts";

const { db, build, client, unchanged } = await testWorld({
  MIN_AGE: "21",
  REGION_HEADER: "CF-IPCountry",
  REGIONS_WITHOUT_PAYMENTS: "us-wa, AU",
});
const here = { "cf-ipcountry": "DE" };
const pay = { payment: { amount: 5 } };

test("the age is asked once, before the first deposit", async () => {
  const player = await build.player();
  const browser = await client(player);
  const asked = { spending: { ageToConfirm: 21 } };
  expect((await browser.send("GET", "/api/v1/spending", undefined, here)).body).toMatchObject(asked);
  for (const payment of [pay.payment, { ...pay.payment, of_age: false }])
    expect(await unchanged(() => browser.send("POST", "/api/v1/payments", { payment }, here))).toMatchObject({
      status: 422,
      body: { code: "age_not_confirmed", errors: { ofAge: ["must be accepted"] } },
    });
  const confirmed = { payment: { ...pay.payment, of_age: true } };
  expect((await browser.send("POST", "/api/v1/payments", confirmed, here)).status).toBe(201);
  expect((await browser.send("POST", "/api/v1/payments", pay, here)).status).toBe(201);
  expect((await browser.send("GET", "/api/v1/spending", undefined, here)).body).toMatchObject({
    spending: { ageToConfirm: null },
  });
  expect(await db.select().from(statedAges).where(eq(statedAges.userId, player.id))).toMatchObject([
    { years: 21 },
  ]);
});

test("from a region without payments, and where the proxy says none, nothing is paid in, and playing goes on", async () => {
  const player = await build.player();
  const browser = await client(player);
  const confirmed = { payment: { ...pay.payment, of_age: true } };
  for (const headers of [{ "cf-ipcountry": "US-WA" }, { "cf-ipcountry": "au" }, {}])
    expect(await unchanged(() => browser.send("POST", "/api/v1/payments", confirmed, headers))).toMatchObject(
      { status: 403, body: { code: "region_without_payments" } },
    );
  expect(
    (await browser.send("GET", "/api/v1/spending", undefined, { "cf-ipcountry": "AU" })).body,
  ).toMatchObject({ spending: { paymentsHere: false } });
  expect((await browser.get("/api/v1/calls")).status).toBe(200);
  expect(await db.$count(payments, eq(payments.userId, player.id))).toBe(0);
});

const production = {
  NODE_ENV: "production",
  SECRET_KEY: "correct horse battery staple, and more",
  PUBLIC_URL: "https://called-it.example",
};
const withStripe = {
  STRIPE_SECRET_KEY: "sk_live_of_a_test",
  STRIPE_WEBHOOK_SECRET: "whsec_of_this_very_test",
};

test("the defaults: 18 years where payments are on and else no age, $100 a week, and each hour; off has to be written", () => {
  const read = (variables: Record<string, string>) =>
    readEnv({ DATA_DIR: makeFileFolder(), ...production, ...variables }).spending;
  expect(read({})).toMatchObject({
    minAge: null,
    siteLimitCents: 10_000,
    reminderMinutes: 60,
    regions: null,
  });
  expect(read(withStripe)).toMatchObject({ minAge: 18 });
  const off = { MIN_AGE: "off", DEPOSIT_MAX_WEEK: "off", SPENDING_REMINDER_MINUTES: "off" };
  expect(read({ ...withStripe, ...off })).toMatchObject({
    minAge: null,
    siteLimitCents: null,
    reminderMinutes: null,
  });
  for (const [name, value] of [
    ["DEPOSIT_MAX_WEEK", "0"],
    ["DEPOSIT_MAX_WEEK", "no"],
    ["MIN_AGE", "0"],
    ["HELP_LINKS", "GamCare"],
    ["REGIONS_WITHOUT_PAYMENTS", "AU"],
  ] as const)
    expect(() => read({ [name]: value })).toThrow(name);
});
