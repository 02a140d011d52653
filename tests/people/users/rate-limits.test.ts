import { expect, test } from "bun:test";
import { mails } from "#db/schema/mails.ts";
import { limitRate } from "#src/http/rate-limit.ts";
import { rates } from "#src/http/rates.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Person } from "./person.ts";

const deps = await testDeps({ RATE_LIMITS: "on" });
const person = new Person(createServer(deps));
await person.get("/api/v1/users/me");

test("too many requests for mails to one address are refused, and no more mails are recorded", async () => {
  const body = { user: { email: "ana@example.test" } };
  const { perAccount } = rates.askForMail;
  for (let count = 0; count < perAccount; count += 1) {
    expect((await person.send("POST", "/users/password", { body })).status).toBe(200);
  }
  for (const path of ["/users/password", "/users/unlock", "/users/confirmation"]) {
    const response = await person.send("POST", path, { body });
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
  expect((await person.signIn("nobody@example.test", "a guess")).status).toBe(401);
  expect((await person.signIn("nobody@example.test", "a guess")).status).toBe(429);
  expect((await person.signIn("somebody@example.test", "a guess")).status).toBe(401);
});
