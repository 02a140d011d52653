import { expect, test } from "bun:test";
import { and, asc, eq, isNull, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction } from "#db/client.ts";
import { mails } from "#db/schema/mails.ts";
import { tokens } from "#db/schema/tokens.ts";
import { signIns, users } from "#db/schema/users.ts";
import { sendConfirmation } from "#src/people/users/register-account.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { linkMailedTo, openMailbox, secretIn } from "./mailbox.ts";
import { buildMember, NEW_PASSWORD, openBrowser, PASSWORD, Person, userIn } from "./person.ts";

/** The answer to every request for a mail, whatever the address. */
const REQUEST_ANSWER = {
  message: "If this address is in our books and needs it, a mail with a link is on its way.",
};
const refusal = v.object({ errors: v.record(v.string(), v.array(v.string())) });

const { deps, db, server, read, set } = await testWorld({ RATE_LIMITS: "off" });

/** Moves all sent mails into the past, because each kind is sent only once a minute. */
const later = () => db.update(mails).set({ sentAt: sql`${mails.sentAt} - interval '2 minutes'` });
const ask = async (path: string, email: string | null) =>
  (await openBrowser(server)).send("POST", path, { body: { user: { email } } });
const userOf = ({ id }: { id: number }) => read.row(users, id);
/** Requests a new password and returns the link from the mail. */
async function resetLink({ email }: BuiltUser): Promise<string> {
  await later();
  await ask("/users/password", email);
  return linkMailedTo(deps, email);
}
async function reset(secret: string | undefined, password = NEW_PASSWORD, again = password, at?: Person) {
  const user = { reset_password_token: secret, password, password_confirmation: again };
  return (at ?? (await openBrowser(server))).send("PUT", "/users/password", { body: { user } });
}

test("a known and an unknown email get the same answer, and only the known one a mail", async () => {
  const user = await buildMember(deps);
  const known = await ask("/users/password", ` ${String(user.email).toUpperCase()}`);
  const unknown = await ask("/users/password", "nobody@example.test");
  expect([known.status, await known.json()]).toEqual([200, REQUEST_ANSWER]);
  expect([unknown.status, await unknown.json()]).toEqual([200, REQUEST_ANSWER]);
  expect(await openMailbox(deps, user.email)).toHaveLength(1);
  expect(await openMailbox(deps, "nobody@example.test")).toEqual([]);
  // Nothing is stored of an unknown address.
  expect(await db.$count(mails, eq(mails.recipient, "nobody@example.test"))).toBe(0);
});

test("a deactivated account gets no mail", async () => {
  const user = await buildMember(deps);
  await db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.id, user.id));
  expect((await ask("/users/password", user.email)).status).toBe(200);
  expect(await openMailbox(deps, user.email)).toEqual([]);
  expect(await db.$count(tokens, eq(tokens.userId, user.id))).toBe(0);
});

test("only a keyed hash of the link's secret is stored", async () => {
  const user = await buildMember(deps);
  const secret = secretIn(await resetLink(user));
  expect(secret).toMatch(/^[\w-]{43}$/);
  const row = await read.row(tokens, eq(tokens.userId, user.id));
  expect(JSON.stringify(row)).not.toContain(secret);
  expect(row.hash).not.toBe(new Bun.CryptoHasher("sha256").update(secret).digest("base64url"));
  const hours = (row.expiresAt.getTime() - row.createdAt.getTime()) / 3_600_000;
  expect(hours).toBeCloseTo(6, 2);
});

test("the link sets a new password, ends all sign-ins, unlocks, and sends a mail", async () => {
  const user = await buildMember(deps);
  const [here, there] = [new Person(server), new Person(server)];
  await here.signIn(user.email);
  await there.signIn(user.email);
  await db.update(users).set({ failedAttempts: 20, lockedAt: new Date() }).where(eq(users.id, user.id));
  const link = await resetLink(user);
  expect(link).toStartWith("/users/password/edit?reset_password_token=");
  expect((await (await openBrowser(server)).get(link)).status).toBe(204);

  const browser = await openBrowser(server);
  const response = await reset(secretIn(link), NEW_PASSWORD, NEW_PASSWORD, browser);
  expect([response.status, await response.json()]).toMatchObject([
    200,
    { message: "Your password is changed.", user: { id: user.id, email: user.email } },
  ]);
  // This browser is signed in, until it is closed.
  expect(response.headers.getSetCookie().find((line) => line.includes("called_it="))).not.toContain(
    "Max-Age",
  );
  expect(await (await browser.get("/api/v1/users/me")).json()).toMatchObject({ user: { id: user.id } });
  for (const person of [here, there]) expect((await person.get("/api/v1/users/me")).status).toBe(401);
  expect((await new Person(server).signIn(user.email, PASSWORD)).status).toBe(401);
  expect((await new Person(server).signIn(user.email, NEW_PASSWORD)).status).toBe(200);
  expect((await openMailbox(deps, user.email))[0]?.subject).toBe("Your password was changed");
});

test("where a guest or another account is signed in, the link signs nobody in", async () => {
  const [user, other] = [await buildMember(deps), await buildMember(deps)];
  const guest = await openBrowser(server);
  await guest.send("POST", "/users/guest");
  const account = new Person(server);
  await account.signIn(other.email);
  for (const person of [guest, account]) {
    const before = await userIn(await person.get("/api/v1/users/me"));
    const response = await reset(secretIn(await resetLink(user)), NEW_PASSWORD, NEW_PASSWORD, person);
    expect(await response.json()).toEqual({
      message: "Your password is changed. Sign in with the new one.",
      user: null,
    });
    expect(await (await person.get("/api/v1/users/me")).json()).toMatchObject({ user: { id: before.id } });
  }
  expect(await db.$count(signIns, and(eq(signIns.userId, user.id), isNull(signIns.endedAt)))).toBe(0);
});

test("the link works once, also with concurrent requests", async () => {
  const user = await buildMember(deps);
  const secret = secretIn(await resetLink(user));
  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, index) => reset(secret, `${NEW_PASSWORD} ${index}`)),
  );
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422]);
  const { passwordHash } = await userOf(user);
  const again = await reset(secret);
  expect(again.status).toBe(422);
  expect(await again.json()).toMatchObject({ errors: { resetPasswordToken: ["is invalid"] } });
  expect((await userOf(user)).passwordHash).toBe(passwordHash);
});

test("a new link replaces the older one; after six hours a link has expired", async () => {
  const user = await buildMember(deps);
  const first = await resetLink(user);
  const second = await resetLink(user);
  expect((await reset(secretIn(first))).status).toBe(422);
  await set(tokens, eq(tokens.userId, user.id), { expiresAt: sql`clock_timestamp()` });
  expect((await reset(secretIn(second))).status).toBe(422);
  expect((await (await openBrowser(server)).get(second)).status).toBe(422);
  expect((await new Person(server).signIn(user.email, PASSWORD)).status).toBe(200);
});

test("without a token the page is refused, and a wrong token is invalid", async () => {
  const person = await openBrowser(server);
  const expected = {
    error: "You can't access this page without coming from a password reset email.",
    code: "reset_token_missing",
  };
  for (const path of ["/users/password/edit", "/users/password/edit?reset_password_token="]) {
    const response = await person.get(path);
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject(expected);
  }
  expect((await reset(undefined)).status).toBe(403);
  expect((await person.get("/users/password/edit?reset_password_token=wrong")).status).toBe(422);
  expect((await reset("wrong")).status).toBe(422);
});

test("a secret of another kind of link is invalid", async () => {
  const user = await buildMember(deps);
  const secret = secretIn(await resetLink(user));
  const person = await openBrowser(server);
  for (const link of [
    `/users/confirmation?confirmation_token=${secret}`,
    `/users/unlock?unlock_token=${secret}`,
  ])
    expect([(await person.get(link)).status, (await person.press(link)).status]).toEqual([422, 422]);
  expect((await reset(secret)).status).toBe(200);
});

test("a password that is too short, too long, too common or mistyped is refused", async () => {
  const user = await buildMember(deps);
  const secret = secretIn(await resetLink(user));
  const errorsFor = async (password: string, again = password) => {
    const response = await reset(secret, password, again);
    expect(response.status).toBe(422);
    return v.parse(refusal, await response.json()).errors;
  };
  expect(await errorsFor("short")).toEqual({ password: ["is too short (minimum is 8 characters)"] });
  expect(await errorsFor("x".repeat(129))).toEqual({ password: ["is too long (maximum is 128 characters)"] });
  for (const blank of ["", " ".repeat(8), " \t\u00a0\u3000".repeat(2)])
    expect(await errorsFor(blank)).toEqual({ password: ["can't be blank"] });
  for (const common of ["password", "Password1", "12345678", "qwertyuiop", String(user.email), "called-it"])
    expect(await errorsFor(common)).toEqual({ password: ["is too easily guessed"] });
  expect(await errorsFor(NEW_PASSWORD, "another one")).toEqual({
    passwordConfirmation: ["doesn't match Password"],
  });
  expect((await new Person(server).signIn(user.email, PASSWORD)).status).toBe(200);
  expect((await reset(secret, "x".repeat(128))).status).toBe(200);
});

test("resetting the password of the signed-in account also signs this browser out", async () => {
  const user = await buildMember(deps);
  const person = new Person(server);
  await person.signIn(user.email);
  const secret = secretIn(await resetLink(user));
  const body = {
    user: { reset_password_token: secret, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
  };
  expect((await person.send("PUT", "/users/password", { body })).status).toBe(200);
  expect(person.cookies.has("called_it")).toBe(false);
});

const changePassword = (person: Person, current: string) =>
  person.send("PUT", "/api/v1/users/me/password", {
    body: {
      user: { current_password: current, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
    },
  });

test("too many wrong passwords behind a sign-in end it and lock the account; other sign-ins go on", async () => {
  const user = await buildMember(deps);
  const [here, elsewhere] = [new Person(server), new Person(server)];
  await here.signIn(user.email);
  await elsewhere.signIn(user.email);
  const mine = eq(signIns.userId, user.id);
  const [first] = await db.select().from(signIns).where(mine).orderBy(asc(signIns.createdAt)).limit(1);
  const setAttempts = (failedAttempts: number) => set(signIns, first?.id ?? "", { failedAttempts });
  await setAttempts(18);
  expect((await changePassword(here, "not it")).status).toBe(422);
  const locked = await changePassword(here, "not it");
  expect([locked.status, await locked.json()]).toMatchObject([403, { code: "locked" }]);
  expect((await here.get("/api/v1/users/me")).status).toBe(401);
  expect((await elsewhere.get("/api/v1/users/me")).status).toBe(200);
  expect((await read.row(users, user.id)).lockedAt).not.toBeNull();
});

test("the right password resets the count of its sign-in", async () => {
  const user = await buildMember(deps);
  const person = new Person(server);
  await person.signIn(user.email);
  const countOf = async () => (await read.row(signIns, eq(signIns.userId, user.id))).failedAttempts;
  await changePassword(person, "not it");
  expect(await countOf()).toBe(1);
  expect((await changePassword(person, PASSWORD)).status).toBe(200);
  expect(await countOf()).toBe(0);
});

async function buildUnconfirmed(): Promise<BuiltUser> {
  const user = await buildMember(deps);
  await db.update(users).set({ confirmedAt: null }).where(eq(users.id, user.id));
  await inTransaction(db, (tx) => sendConfirmation(tx, { id: user.id, email: String(user.email) }));
  return user;
}
const endGrace = (user: BuiltUser) => set(users, user.id, { confirmBy: sql`clock_timestamp()` });

test("an unconfirmed address may sign in for 24 hours, and not after that", async () => {
  const user = await buildUnconfirmed();
  const { confirmBy } = await userOf(user);
  const hours = (Number(confirmBy) - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(24, 1);
  const person = new Person(server);
  expect((await person.signIn(user.email)).status).toBe(200);

  await endGrace(user);
  const refused = { error: "You have to confirm your email address before continuing.", code: "unconfirmed" };
  // An existing sign-in becomes invalid, and the answer says why.
  const out = await person.get("/api/v1/users/me");
  expect(out.status).toBe(401);
  expect(await out.json()).toMatchObject(refused);
  const before = await db.$count(signIns, eq(signIns.userId, user.id));
  const again = await new Person(server).signIn(user.email);
  expect(again.status).toBe(403);
  expect(await again.json()).toMatchObject(refused);
  expect(await db.$count(signIns, eq(signIns.userId, user.id))).toBe(before);
  const wrong = await new Person(server).signIn(user.email, "not it");
  expect(await wrong.json()).toMatchObject({ code: "invalid_credentials" });
});

test("the link confirms the address, and opened again it gets the same answer", async () => {
  const user = await buildUnconfirmed();
  const link = await linkMailedTo(deps, user.email);
  expect(link).toStartWith("/users/confirmation?confirmation_token=");
  await endGrace(user);
  const person = await openBrowser(server);
  await person.send("HEAD", link);
  expect(await (await person.get(link)).json()).toEqual({ message: null });
  expect((await userOf(user)).confirmedAt).toBeNull();
  for (let time = 0; time < 2; time += 1) {
    const response = await person.press(link);
    expect([response.status, await response.json()]).toEqual([
      200,
      { message: "Your email address is confirmed." },
    ]);
  }
  expect((await new Person(server).signIn(user.email)).status).toBe(200);
});

test("another request sends a new link without extending the time; a confirmed address gets none", async () => {
  const user = await buildUnconfirmed();
  const { confirmBy } = await userOf(user);
  const first = await linkMailedTo(deps, user.email);
  await later();
  expect(await (await ask("/users/confirmation", user.email)).json()).toEqual(REQUEST_ANSWER);
  const second = await linkMailedTo(deps, user.email);
  expect((await userOf(user)).confirmBy).toEqual(confirmBy);
  const person = await openBrowser(server);
  expect((await person.press(first)).status).toBe(422);
  expect((await userOf(user)).confirmedAt).toBeNull();
  expect((await person.press(second)).status).toBe(200);

  await later();
  const before = (await openMailbox(deps, user.email)).length;
  expect(await (await ask("/users/confirmation", user.email)).json()).toEqual(REQUEST_ANSWER);
  expect(await openMailbox(deps, user.email)).toHaveLength(before);
});

test("the link in a reset mail also confirms the address", async () => {
  const user = await buildUnconfirmed();
  await endGrace(user);
  await reset(secretIn(await resetLink(user)));
  expect((await userOf(user)).confirmedAt).not.toBeNull();
});
