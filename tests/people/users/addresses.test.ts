import { expect, test } from "bun:test";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { testDeps } from "#tests/support/deps.ts";
import { linkMailedTo } from "./mailbox.ts";
import { Person, userIn } from "./person.ts";

const password = "nine lives and a day";
const deps = await testDeps();
const server = createServer(deps);

let made = 0;
async function register(email: string): Promise<Response> {
  made += 1;
  const visitor = new Person(server);
  await visitor.get("/api/v1/users/me");
  const user = { email, username: `Newcomer_${made}`, password, password_confirmation: password };
  return visitor.send("POST", "/users/guest_registration", { body: { user } });
}

test.each([
  "o'brien@example.test",
  "d&e@example.test",
  "=1+1@example.test",
  "a_b.c+d{e}@my--host.test",
  "post@xn--bcher-kva.example",
  "post@xn--80ak6aa92e.xn--p1ai",
])("the address %s gets an account, its mail, and signs in", async (email) => {
  expect((await register(email)).status).toBe(201);
  expect(await linkMailedTo(deps, email)).toStartWith("/users/confirmation?");
  const signedIn = await new Person(server).signIn(email, password);
  expect(await userIn(signedIn)).toMatchObject({ email, guest: false });
});

test.each(["ana@one.example,ben@two.example", "ana@gmail", "ana@127.0.0.1", "<ana@one.example>"])(
  "the address %s is refused, and nobody is made",
  async (email) => {
    const before = await deps.pool.db.$count(users);
    const refused = await register(email);
    expect([refused.status, await refused.json()]).toMatchObject([
      422,
      { errors: { email: ["is invalid"] } },
    ]);
    expect(await deps.pool.db.$count(users)).toBe(before);
  },
);
