import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { signIns, users } from "#db/schema/users.ts";
import { hashPassword } from "#src/people/sign-ins/passwords.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import { setRows } from "#tests/support/rows.ts";
import { untilBlocked } from "#tests/support/until-blocked.ts";
import { testWorld } from "#tests/support/world.ts";
import { linkMailedTo, openMailbox } from "../users/mailbox.ts";
import { Person, buildMember } from "../users/person.ts";

const { deps, server, db } = await testWorld({ RATE_LIMITS: "off" }, { poolSize: 4 });

const buildPerson = () => buildMember(deps);

const stateOf = async ({ id }: { id: number }) => only(await db.select().from(users).where(eq(users.id, id)));
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
    setRows(db, users, eq(users.id, user.id), { lockedAt: sql`clock_timestamp() - ${interval}::interval` });
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
