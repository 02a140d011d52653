import { expect, test } from "bun:test";
import { mails } from "#db/schema/mails.ts";
import { users } from "#db/schema/users.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { createServer } from "#src/server.ts";
import { listen } from "#tests/http/listen.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Person } from "./person.ts";

const GUESTS = 300;
/** Of the guests, those who really come in; the others are only counted. */
const REAL = 40;
const deps = await testDeps({
  GUESTS_PER_ADDRESS: String(GUESTS),
  RATE_LIMITS: "on",
  TRUSTED_PROXIES: "127.0.0.0/8",
});
const { comeFrom } = listen(deps);

/** A new browser behind a proxy that appends the client's address, taps "Play as guest". */
async function tapFrom(forwarded: string): Promise<Response> {
  const person = comeFrom(forwarded);
  await person.get("/api/v1/users/me");
  return person.send("POST", "/users/guest");
}

const guestsCount = () => deps.pool.db.$count(users);

test("all guests that an address may make a day come in at once, whatever their ports; one more is refused", async () => {
  const counted = { address: "203.0.113.8", viewer: null };
  for (let made = REAL; made < GUESTS; made += 1) await limitRate(deps, rates.playAsGuest, counted);
  for (let made = 0; made < REAL; made += 1) {
    expect((await tapFrom(`203.0.113.8:${40_000 + made}`)).status).toBe(201);
  }
  const before = await guestsCount();
  for (const spelling of ["203.0.113.8:39999", "::ffff:203.0.113.8", "[::FFFF:cb00:7108]:9", "203.0.113.8"]) {
    const refused = await tapFrom(spelling);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3_600);
    expect(await refused.json()).toMatchObject({
      error: "Too many attempts. Try again in 24 hours, or create an account.",
    });
  }
  expect(await guestsCount()).toBe(before);
  expect((await tapFrom("203.0.113.9:40001")).status).toBe(201);
});

test("one recipient gets no endless mails by registrations: they are refused, and no user is created", async () => {
  const person = comeFrom();
  await person.get("/api/v1/users/me");
  const user = {
    email: "victim-of-forms@example.test",
    username: "a_good_name",
    password: "nine lives and a day",
    password_confirmation: "nine lives and a day",
  };
  const subject = { address: "", viewer: null, account: user.email };
  for (let times = 0; times < rates.registerEmail.perAccount; times += 1) {
    await limitRate(deps, rates.registerEmail, subject);
  }
  const before = await guestsCount();
  const refused = await person.send("POST", "/users/guest_registration", { body: { user } });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await guestsCount()).toBe(before);
});

const browser = new Person(createServer(deps));
await browser.get("/api/v1/users/me");

test("too many requests for mails to one address are refused, and no more mails are recorded", async () => {
  const body = { user: { email: "ana@example.test" } };
  const { perAccount } = rates.askForMail;
  for (let count = 0; count < perAccount; count += 1) {
    expect((await browser.send("POST", "/users/password", { body })).status).toBe(200);
  }
  for (const path of ["/users/password", "/users/unlock", "/users/confirmation"]) {
    const response = await browser.send("POST", path, { body });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
  }
  expect(await deps.pool.db.$count(mails)).toBe(perAccount);
});

test("too many sign-ins with one email are refused before the password is checked", async () => {
  // All but the last one are only counted: to check so many passwords takes seconds.
  const before = { address: "198.51.100.7", viewer: null, account: "nobody@example.test" };
  for (let count = 1; count < rates.signIn.perAccount; count += 1)
    await limitRate(deps, rates.signIn, before);
  expect((await browser.signIn("nobody@example.test", "a guess")).status).toBe(401);
  expect((await browser.signIn("nobody@example.test", "a guess")).status).toBe(429);
  expect((await browser.signIn("somebody@example.test", "a guess")).status).toBe(401);
});
