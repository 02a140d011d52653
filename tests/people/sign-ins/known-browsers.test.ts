import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { knownBrowsers, signIns, users } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { openMailbox } from "../users/mailbox.ts";
import { PASSWORD, Person, buildMember } from "../users/person.ts";

const { deps, server, db } = await testWorld({ RATE_LIMITS: "off" });
const COOKIE = "called_it_browser";

const buildPerson = () => buildMember(deps);

/** A browser that has signed in to the account, and out again. */
async function knownTo(user: BuiltUser): Promise<Person> {
  const person = new Person(server);
  expect((await person.signIn(user.email)).status).toBe(200);
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(204);
  return person;
}

const stateOf = async ({ id }: { id: number }) => only(await db.select().from(users).where(eq(users.id, id)));
const countsOf = async ({ id }: { id: number }) => {
  const rows = await db.select().from(knownBrowsers).where(eq(knownBrowsers.userId, id));
  return rows.map(({ failedAttempts }) => failedAttempts).sort((one, other) => one - other);
};
const setAttempts = (user: BuiltUser, failedAttempts: number) =>
  db.update(knownBrowsers).set({ failedAttempts }).where(eq(knownBrowsers.userId, user.id));

/** A stranger's guesses, until the account is locked. */
async function lockByStranger(user: BuiltUser): Promise<void> {
  await db.update(users).set({ failedAttempts: 19, lockedAt: null }).where(eq(users.id, user.id));
  expect((await new Person(server).signIn(user.email, "a guess")).status).toBe(403);
  expect((await stateOf(user)).lockedAt).not.toBeNull();
}

test("a browser that has signed in before signs in also while a stranger has locked the account", async () => {
  const user = await buildPerson();
  const known = await knownTo(user);
  await lockByStranger(user);
  expect((await new Person(server).signIn(user.email)).status).toBe(403);
  expect((await known.signIn(user.email)).status).toBe(200);
  // Otherwise a stranger could go on guessing whenever the owner signs in.
  expect((await stateOf(user)).lockedAt).not.toBeNull();
  expect((await new Person(server).signIn(user.email)).status).toBe(403);
});

test("wrong passwords of a known browser are not added to those of others", async () => {
  const user = await buildPerson();
  const known = await knownTo(user);
  for (let time = 0; time < 3; time += 1)
    expect((await known.signIn(user.email, "a guess")).status).toBe(401);
  expect([await countsOf(user), (await stateOf(user)).failedAttempts]).toEqual([[3], 0]);
  await new Person(server).signIn(user.email, "a guess");
  expect([await countsOf(user), (await stateOf(user)).failedAttempts]).toEqual([[3], 1]);
  expect((await known.signIn(user.email)).status).toBe(200);
  expect([await countsOf(user), (await stateOf(user)).failedAttempts]).toEqual([[0], 1]);
});

test("the nineteenth wrong password of a known browser warns; the twentieth locks, and makes it a stranger", async () => {
  const user = await buildPerson();
  const [known, other] = [await knownTo(user), await knownTo(user)];
  await setAttempts(user, 18);
  expect(await (await known.signIn(user.email, "a guess")).json()).toMatchObject({ code: "last_attempt" });
  expect(await (await known.signIn(user.email, "a guess")).json()).toMatchObject({ code: "locked" });
  expect((await stateOf(user)).lockedAt).not.toBeNull();
  expect(await openMailbox(deps, user.email)).toHaveLength(1);
  expect(await countsOf(user)).toEqual([18]);
  expect((await known.signIn(user.email)).status).toBe(403);
  expect((await other.signIn(user.email)).status).toBe(200);
});

test("forty concurrent guesses from a known browser are counted exactly, and lock once", async () => {
  const user = await buildPerson();
  const known = await knownTo(user);
  await known.get("/api/v1/users/me");
  const answers = await Promise.all(Array.from({ length: 40 }, () => known.signIn(user.email, "a guess")));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 401)).toHaveLength(19);
  expect(statuses.filter((status) => status === 403)).toHaveLength(21);
  expect([await countsOf(user), (await stateOf(user)).failedAttempts]).toEqual([[], 20]);
  expect(await openMailbox(deps, user.email)).toHaveLength(1);
});

test.each<[string, (known: Person, user: BuiltUser) => Promise<string>]>([
  ["a forged cookie", async (known) => `${known.cookies.get(COOKIE)?.split(".")[0]}.forged`],
  ["the cookie without its signature", async (known) => `${known.cookies.get(COOKIE)?.split(".")[0]}`],
  [
    "the cookie of a browser that knows another account only",
    async () => `${(await knownTo(await buildPerson())).cookies.get(COOKIE)}`,
  ],
])("%s makes no stranger known", async (_name, cookieOf) => {
  const user = await buildPerson();
  const known = await knownTo(user);
  await lockByStranger(user);
  const stranger = new Person(server);
  stranger.cookies.set(COOKIE, await cookieOf(known, user));
  expect((await stranger.signIn(user.email)).status).toBe(403);
  expect(await db.$count(signIns, eq(signIns.userId, user.id))).toBe(1);
  expect(await countsOf(user)).toEqual([0]);
});

test("after a new password only the browser that changed it is still known", async () => {
  const user = await buildPerson();
  const stolen = await knownTo(user);
  const here = new Person(server);
  await here.signIn(user.email);
  const password = "quite another password";
  const body = { user: { current_password: PASSWORD, password, password_confirmation: password } };
  expect((await here.send("PUT", "/api/v1/users/me/password", { body })).status).toBe(200);
  await here.send("DELETE", "/users/sign_out");
  await lockByStranger(user);
  expect((await stolen.signIn(user.email, password)).status).toBe(403);
  expect((await here.signIn(user.email, password)).status).toBe(200);
});

test("browsers are forgotten when their cookie has expired", async () => {
  const user = await buildPerson();
  await knownTo(user);
  await pruneTable(deps, knownBrowsers);
  expect(await countsOf(user)).toEqual([0]);
  await deps.pool
    .sql`UPDATE known_browsers SET signed_in_at = now() - interval '401 days' WHERE user_id = ${user.id}`;
  await pruneTable(deps, knownBrowsers);
  expect(await countsOf(user)).toEqual([]);
});
