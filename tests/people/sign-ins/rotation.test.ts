import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, Person } from "../users/person.ts";

const deps = await testDeps();
const server = createServer(deps);

async function buildPerson() {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  return user;
}

test("a token from before the sign-in is invalid after it", async () => {
  const user = await buildPerson();
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const before = person.token;
  await person.signIn(user.email);
  const headers = { "x-csrf-token": before };
  const refused = await person.send("DELETE", "/api/v1/users/me/sign_ins", { headers });
  expect(refused.status).toBe(422);
  expect((await person.send("DELETE", "/api/v1/users/me/sign_ins")).status).toBe(204);
});

test("a cookie that was planted before the sign-in is useless after it", async () => {
  const user = await buildPerson();
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const planted = String(person.cookies.get("called_it_visitor"));
  await person.signIn(user.email);
  const thief = new Person(server);
  thief.cookies.set("called_it_visitor", planted);
  expect((await thief.get("/api/v1/users/me")).status).toBe(401);
});

test("every sign-in has its own cookie and secret", async () => {
  const user = await buildPerson();
  const people = [new Person(server), new Person(server)];
  for (const person of people) await person.signIn(user.email);
  const cookies = people.map((person) => person.cookies.get("called_it"));
  expect(new Set(cookies).size).toBe(2);
  const rows = await deps.pool.db.select().from(signIns).where(eq(signIns.userId, user.id));
  expect(new Set(rows.map(({ csrfSecret }) => csrfSecret)).size).toBe(2);
});
