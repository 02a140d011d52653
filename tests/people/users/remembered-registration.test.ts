import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { PASSWORD, Person, userIn } from "./person.ts";

const deps = await testDeps({ RATE_LIMITS: "off" });
const server = createServer(deps);

test.each([
  [{}, false],
  [{ remember_me: false }, false],
  [{ remember_me: "1" }, true],
])("a new account is remembered only on request: %j", async (wish, remembered) => {
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const username = `new_${uniqueNumber().slice(0, 8)}`;
  const user = { email: `${username}@example.test`, username, password: PASSWORD };
  const body = { user: { ...user, password_confirmation: PASSWORD, ...wish } };
  const response = await person.send("POST", "/users/guest_registration", { body });
  const cookie = response.headers.getSetCookie().find((line) => line.startsWith("called_it="));
  expect(cookie?.includes("Max-Age=1209600")).toBe(remembered);
  const { id } = await userIn(response);
  const row = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, id)));
  expect(row.remembered).toBe(remembered);
});
