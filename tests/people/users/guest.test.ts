import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { readWallet, listDifferences } from "#tests/support/books.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, Person, userIn } from "./person.ts";

const deps = await testDeps();
const server = createServer(deps);

/** A browser that has loaded a page, and so has a token. */
async function buildVisitor(): Promise<Person> {
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  return person;
}

test("playing as a guest creates a guest with a wallet of $100.00, signed in and remembered", async () => {
  const client = await buildVisitor();
  const response = await client.send("POST", "/users/guest");
  expect(response.status).toBe(201);
  const user = await userIn(response);
  expect(user).toMatchObject({
    gid: `gid://called-it/User/${user.id}`,
    email: null,
    username: `guest_${user.id}`,
    roles: [],
    guest: true,
  });
  expect(response.headers.getSetCookie()[0]).toContain("; Max-Age=1209600");
  const me = await client.get("/api/v1/users/me");
  expect(await me.json()).toMatchObject({
    user: { id: user.id, guest: true, wallet: { balanceCents: 10_000, availableBalanceCents: 10_000 } },
  });
  expect(await listDifferences(deps.pool.db)).toEqual([]);
});

test("every browser gets a guest of its own", async () => {
  const [one, other] = await Promise.all([buildVisitor(), buildVisitor()]);
  const answers = await Promise.all([one, other].map((client) => client.send("POST", "/users/guest")));
  const names = await Promise.all(answers.map(async (answer) => (await userIn(answer)).username));
  expect(new Set(names).size).toBe(2);
});

test("a signed-in user cannot become a guest: 409, and no user is created", async () => {
  const player = await buildPlayer(deps);
  await givePassword(deps, player.id);
  const person = new Person(server);
  await person.signIn(player.email);
  const before = await deps.pool.db.$count(users);
  const response = await person.send("POST", "/users/guest");
  expect(response.status).toBe(409);
  expect(await response.json()).toMatchObject({ code: "already_signed_in" });
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test("a request that does not come from our own page creates no guest: 422", async () => {
  const before = await deps.pool.db.$count(users);
  const response = await new Person(server).send("POST", "/users/guest");
  expect(response.status).toBe(422);
  expect(await deps.pool.db.$count(users)).toBe(before);
});

test("a guest's sign-in is like any other, and signing out ends it", async () => {
  const client = await buildVisitor();
  const user = await userIn(await client.send("POST", "/users/guest"));
  const response = await client.send("DELETE", "/users/sign_out");
  expect(response.status).toBe(204);
  const row = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, user.id)));
  expect(row.endedAt).not.toBeNull();
  const wallet = await readWallet(deps.pool.db, user.id);
  expect(wallet.postedCents).toBe(10_000);
});

test("a guest who has an account signs in with it; the guest's sign-in ends", async () => {
  const player = await buildPlayer(deps);
  await givePassword(deps, player.id);
  const client = await buildVisitor();
  const guest = await userIn(await client.send("POST", "/users/guest"));
  const response = await client.signIn(player.email);
  expect(response.status).toBe(200);
  expect(await userIn(response)).toMatchObject({ id: player.id, guest: false });
  const row = only(await deps.pool.db.select().from(signIns).where(eq(signIns.userId, guest.id)));
  expect(row.endedAt).not.toBeNull();
});

test("a guest who mistypes the password stays the guest", async () => {
  const player = await buildPlayer(deps);
  await givePassword(deps, player.id);
  const client = await buildVisitor();
  const guest = await userIn(await client.send("POST", "/users/guest"));
  const response = await client.signIn(player.email, "not it");
  expect(response.status).toBe(401);
  const me = await client.get("/api/v1/users/me");
  expect(await me.json()).toMatchObject({ user: { id: guest.id, guest: true } });
});
