import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { knownBrowsers, signIns, users } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { testWorld } from "#tests/support/world.ts";
import { linkMailedTo, openMailbox } from "../users/mailbox.ts";
import { buildMember, PASSWORD, Person } from "../users/person.ts";

const { deps, server, db, read, set } = await testWorld({ RATE_LIMITS: "off" }, { poolSize: 10 });

const buildPerson = () => buildMember(deps);

const stateOf = ({ id }: { id: number }) => read.row(users, id);
const errorOf = async (response: Response): Promise<Record<string, unknown>> => {
  const body: unknown = await response.json();
  return { status: response.status, ...(typeof body === "object" ? body : {}) };
};

/** Moves all sent mails into the past, because each kind is sent only once a minute. */
const aMinuteLater = () => db.update(mails).set({ sentAt: sql`${mails.sentAt} - interval '2 minutes'` });

/** Sends wrong passwords one after the other and returns the last answer. */
async function guess(user: BuiltUser, times: number) {
  const stranger = new Person(server);
  let last: Record<string, unknown> = {};
  for (let time = 0; time < times; time += 1)
    last = await errorOf(await stranger.signIn(user.email, "a guess"));
  return last;
}

/** Locks an account by its last wrong password; the nineteen before it are only set in the row. */
async function lock(user: BuiltUser) {
  await db.update(users).set({ failedAttempts: 19, lockedAt: null }).where(eq(users.id, user.id));
  expect(await guess(user, 1)).toMatchObject(locked);
}

const locked = { status: 403, code: "locked", error: "Your account is locked." };
const wrong = { status: 401, code: "invalid_credentials", error: "Invalid credentials or password." };
const warning = {
  status: 401,
  code: "last_attempt",
  error: "You have one more attempt before your account is locked.",
};

test("the nineteenth wrong password warns, the twentieth locks, also for the right password", async () => {
  const user = await buildPerson();
  const here = new Person(server);
  await here.signIn(user.email);
  expect(await guess(user, 18)).toMatchObject(wrong);
  expect(await guess(user, 1)).toMatchObject(warning);
  expect(await stateOf(user)).toMatchObject({ failedAttempts: 19, lockedAt: null });
  expect(await guess(user, 1)).toMatchObject(locked);
  expect((await stateOf(user)).lockedAt).not.toBeNull();

  expect(await errorOf(await new Person(server).signIn(user.email))).toMatchObject(locked);
  expect(await guess(user, 1)).toMatchObject(locked);
  expect((await stateOf(user)).failedAttempts).toBe(20);
  // Nobody is signed out by it.
  expect((await here.get("/api/v1/users/me")).status).toBe(200);
  const rows = await db.select().from(signIns).where(eq(signIns.userId, user.id));
  expect(rows.map(({ endedAt }) => endedAt)).toEqual([null]);
});

test("twenty concurrent wrong passwords are counted exactly, lock once and send one mail", async () => {
  const user = await buildPerson();
  const codes = await Promise.all(
    Array.from({ length: 20 }, async () => errorOf(await new Person(server).signIn(user.email, "a guess"))),
  );
  const count = (what: object) => codes.filter((answer) => Bun.deepMatch(what, answer)).length;
  expect([count(wrong), count(warning), count(locked)]).toEqual([18, 1, 1]);
  expect((await stateOf(user)).failedAttempts).toBe(20);
  expect(await openMailbox(deps, user.email)).toHaveLength(1);
});

test("a sign-in resets the count of wrong passwords", async () => {
  const user = await buildPerson();
  await db.update(users).set({ failedAttempts: 19 }).where(eq(users.id, user.id));
  expect((await new Person(server).signIn(user.email)).status).toBe(200);
  expect((await stateOf(user)).failedAttempts).toBe(0);
  expect(await guess(user, 1)).toMatchObject(wrong);
});

test("the link in the mail unlocks once; opened again it gets the same answer and does nothing", async () => {
  const user = await buildPerson();
  await lock(user);
  const link = await linkMailedTo(deps, user.email);
  expect(link).toStartWith("/users/unlock?unlock_token=");
  const opened = await new Person(server).press(link);
  expect(await errorOf(opened)).toEqual({
    status: 200,
    message: "Your account is unlocked. Sign in to go on.",
  });
  expect(await stateOf(user)).toMatchObject({ failedAttempts: 0, lockedAt: null });

  await guess(user, 3);
  expect((await new Person(server).press(link)).status).toBe(200);
  expect((await stateOf(user)).failedAttempts).toBe(3);
  expect((await new Person(server).signIn(user.email)).status).toBe(200);

  await lock(user);
  expect(await errorOf(await new Person(server).press(link))).toMatchObject({
    status: 422,
    errors: { unlockToken: ["is invalid"] },
  });
  expect((await stateOf(user)).lockedAt).not.toBeNull();
});

test("a link that is only opened, and an invalid link, unlock nothing", async () => {
  const user = await buildPerson();
  await lock(user);
  const link = await linkMailedTo(deps, user.email);
  const scanner = new Person(server);
  for (const accept of ["application/json", "text/html"]) {
    await scanner.send("HEAD", link, { headers: { accept } });
    expect((await scanner.get(link, { accept })).status).toBe(200);
  }
  for (const path of ["/users/unlock?unlock_token=wrong", "/users/unlock", "/users/unlock?unlock_token="]) {
    expect((await scanner.get(path)).status).toBe(422);
    expect((await scanner.press(path)).status).toBe(422);
  }
  expect((await stateOf(user)).lockedAt).not.toBeNull();
  expect((await new Person(server).press(link)).status).toBe(200);
});

test("after an hour the lock expires, and wrong passwords are counted from the start", async () => {
  const user = await buildPerson();
  await lock(user);
  const age = (interval: string) =>
    set(users, user.id, { lockedAt: sql`clock_timestamp() - ${interval}::interval` });
  await age("59 minutes 50 seconds");
  expect(await errorOf(await new Person(server).signIn(user.email))).toMatchObject(locked);
  await age("60 minutes");
  expect(await guess(user, 1)).toMatchObject(wrong);
  expect(await stateOf(user)).toMatchObject({ failedAttempts: 1, lockedAt: null });
  await db.update(users).set({ failedAttempts: 20 }).where(eq(users.id, user.id));
  await age("60 minutes");
  expect((await new Person(server).signIn(user.email)).status).toBe(200);
  expect(await stateOf(user)).toMatchObject({ failedAttempts: 0, lockedAt: null });
});

test("the unlock mail is sent again on request, and only while the account is locked", async () => {
  const user = await buildPerson();
  await lock(user);
  const first = await linkMailedTo(deps, user.email);
  await aMinuteLater();
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const ask = () => person.send("POST", "/users/unlock", { body: { user: { email: user.email } } });
  expect((await ask()).status).toBe(200);
  const second = await linkMailedTo(deps, user.email);
  expect(second).not.toBe(first);
  expect((await person.press(first)).status).toBe(422);
  expect((await person.press(second)).status).toBe(200);

  await aMinuteLater();
  const before = (await openMailbox(deps, user.email)).length;
  expect((await ask()).status).toBe(200);
  expect(await openMailbox(deps, user.email)).toHaveLength(before);
});

test("a sign-in with an old password fails if the password is changed during the check", async () => {
  const user = await buildPerson();
  const person = new Person(server);
  await person.get("/api/v1/users/me");
  const hash = await hashPassword("quite another one");
  const slow = await inTransaction(db, async (tx) => {
    await tx.update(users).set({ passwordHash: hash }).where(eq(users.id, user.id));
    const signingIn = person.signIn(user.email);
    await untilBlocked(db);
    return { signingIn };
  });
  const { status } = await slow.signingIn;
  const rows = await db.select().from(signIns).where(eq(signIns.userId, user.id));
  expect([status, rows.length]).toEqual([401, 0]);
});

const COOKIE = "called_it_browser";

/** A browser that has signed in to the account, and out again. */
async function knownTo(user: BuiltUser): Promise<Person> {
  const person = new Person(server);
  expect((await person.signIn(user.email)).status).toBe(200);
  expect((await person.send("DELETE", "/users/sign_out")).status).toBe(204);
  return person;
}

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
