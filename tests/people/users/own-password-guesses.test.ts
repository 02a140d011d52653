import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, PASSWORD, Person } from "./person.ts";
import { NEW_PASSWORD } from "./recovering.ts";

const deps = await testDeps({ RATE_LIMITS: "off" });
const { db } = deps.pool;
const server = createServer(deps);

const changePassword = (person: Person, current: string) =>
  person.send("PUT", "/api/v1/users/me/password", {
    body: {
      user: { current_password: current, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
    },
  });

test("too many wrong passwords behind a sign-in end it and lock the account; other sign-ins go on", async () => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const [here, elsewhere] = [new Person(server), new Person(server)];
  await here.signIn(user.email);
  await elsewhere.signIn(user.email);
  const mine = eq(signIns.userId, user.id);
  const [first] = await db.select().from(signIns).where(mine).orderBy(asc(signIns.createdAt)).limit(1);
  const setAttempts = (failedAttempts: number) =>
    db
      .update(signIns)
      .set({ failedAttempts })
      .where(eq(signIns.id, first?.id ?? ""));
  await setAttempts(18);
  expect((await changePassword(here, "not it")).status).toBe(422);
  const locked = await changePassword(here, "not it");
  expect([locked.status, await locked.json()]).toMatchObject([403, { code: "locked" }]);
  expect((await here.get("/api/v1/users/me")).status).toBe(401);
  expect((await elsewhere.get("/api/v1/users/me")).status).toBe(200);
  expect(only(await db.select().from(users).where(eq(users.id, user.id))).lockedAt).not.toBeNull();
});

test("the right password resets the count of its sign-in", async () => {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  const person = new Person(server);
  await person.signIn(user.email);
  const countOf = async () =>
    only(await db.select().from(signIns).where(eq(signIns.userId, user.id))).failedAttempts;
  await changePassword(person, "not it");
  expect(await countOf()).toBe(1);
  expect((await changePassword(person, PASSWORD)).status).toBe(200);
  expect(await countOf()).toBe(0);
});
