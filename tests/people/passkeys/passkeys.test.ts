import { expect, test } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { signIns, users } from "#db/schema/users.ts";
import { FRESH_S } from "#src/people/passkeys/contract.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, PASSWORD, Person } from "../users/person.ts";
import { Authenticator, type Lies } from "./authenticator.ts";
import {
  addPasskey,
  askForPasskey,
  askForSignIn,
  confirmOptionsIn,
  optionsIn,
  sendPasskey,
  sendSignIn,
  signInByPasskey,
} from "./passkey-owner.ts";

const { deps, db, server, unchanged, read, build, set } = await testWorld({ RATE_LIMITS: "off" });

const refused = { code: "passkey_refused", error: "This passkey was not accepted." };

test("a user adds a passkey, signs in by it, renames it and removes it", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { authenticator, id } = await addPasskey(person);
  const elsewhere = new Person(server);
  const signedIn = await signInByPasskey(elsewhere, authenticator);
  expect([signedIn.status, await signedIn.json()]).toMatchObject([200, { user: { id: user.id } }]);
  expect((await elsewhere.get("/api/v1/users/me")).status).toBe(200);
  const row = await read.row(passkeys, eq(passkeys.userId, user.id));
  expect(row).toMatchObject({ name: "My phone", signCount: 0, transports: ["internal"] });
  expect(row.lastUsedAt).not.toBeNull();

  const path = `/api/v1/users/me/passkeys/${id}`;
  const renamed = await elsewhere.send("PATCH", path, { body: { passkey: { name: "Old phone" } } });
  expect(await renamed.json()).toMatchObject({ passkey: { id, name: "Old phone" } });
  const listed = await elsewhere.get("/api/v1/users/me/passkeys");
  expect(await listed.json()).toMatchObject({ passkeys: [{ id }], confirmed: true, required: false });
  expect((await elsewhere.send("DELETE", path)).status).toBe(204);
  const again = await signInByPasskey(new Person(server), authenticator);
  expect([again.status, await again.json()]).toMatchObject([401, refused]);
});

const lies: [string, Lies][] = [
  ["another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["another origin", { origin: "http://localhost.evil.example:3000" }],
  ["another port", { origin: "http://localhost:3001" }],
  ["another host", { rpId: "evil.example" }],
  ["a user who was not verified", { verified: false }],
];

test.each([...lies, ["an answer to a sign-in", { type: "webauthn.get" }] as const])(
  "a new passkey with %s is refused",
  async (_name, lies) => {
    const { person } = await buildSignedIn(deps, server);
    const options = await optionsIn(await askForPasskey(person));
    const response = await unchanged(() => sendPasskey(person, new Authenticator(), { options, lies }));
    expect([response.status, await response.json()]).toMatchObject([401, refused]);
  },
);

test("a challenge adds one passkey, and only for the sign-in that was given it", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { person: other } = await buildSignedIn(deps, server);
  const options = await optionsIn(await askForPasskey(person));
  expect((await unchanged(() => sendPasskey(other, new Authenticator(), { options }))).status).toBe(401);
  // A challenge is used up by the first answer, right or wrong.
  expect((await sendPasskey(person, new Authenticator(), { options })).status).toBe(401);
  const fresh = await optionsIn(await askForPasskey(person));
  expect((await sendPasskey(person, new Authenticator(), { options: fresh })).status).toBe(201);
  const twice = await unchanged(() => sendPasskey(person, new Authenticator(), { options: fresh }));
  expect(twice.status).toBe(401);
  expect(await db.$count(passkeys, eq(passkeys.userId, user.id))).toBe(1);
});

test("a passkey of one user is not added to another", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const { person: other } = await buildSignedIn(deps, server);
  const options = await optionsIn(await askForPasskey(other));
  const response = await unchanged(() => sendPasskey(other, authenticator, { options }));
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { errors: { passkey: ["has already been taken"] } },
  ]);
});

test.each([
  ...lies,
  ["an answer to a registration", { type: "webauthn.create" }] as const,
  ["another user's handle", { userHandle: "AAAA" }] as const,
])("a sign-in by passkey with %s is refused", async (_name, lies) => {
  const { person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const visitor = new Person(server);
  const response = await unchanged(() => signInByPasskey(visitor, authenticator, lies));
  expect([response.status, await response.json()]).toMatchObject([401, refused]);
  expect((await visitor.get("/api/v1/users/me")).status).toBe(401);
});

test("an unknown passkey, and the id of another passkey with a signature of one's own, are refused", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const stranger = new Authenticator();
  const unknown = await unchanged(() => signInByPasskey(new Person(server), stranger));
  expect([unknown.status, await unknown.json()]).toMatchObject([401, refused]);
  const visitor = new Person(server);
  const options = await askForSignIn(visitor);
  const { id, rawId } = authenticator.get(options);
  const forged = await unchanged(() => sendSignIn(visitor, { ...stranger.get(options), id, rawId }));
  expect([forged.status, await forged.json()]).toMatchObject([401, refused]);
});

test("an answer signs in once, and only the browser that was given the challenge", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const [here, there] = [new Person(server), new Person(server)];
  const answer = authenticator.get(await askForSignIn(here));
  await there.get("/api/v1/users/me");
  expect((await unchanged(() => sendSignIn(there, answer))).status).toBe(401);
  const second = authenticator.get(await askForSignIn(here));
  const copies = [here, here, here].map(() => {
    const copy = new Person(server);
    copy.token = here.token;
    for (const [name, value] of here.cookies) copy.cookies.set(name, value);
    return copy;
  });
  const answers = await Promise.all(copies.map((copy) => sendSignIn(copy, second)));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 401, 401]);
  expect(await db.$count(signIns, eq(signIns.userId, user.id))).toBe(2);
});

test("a count of signatures that has not grown is refused: the passkey may be a copy", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  authenticator.signCount = 7;
  expect((await signInByPasskey(new Person(server), authenticator)).status).toBe(200);
  for (const signCount of [7, 6, 0]) {
    authenticator.signCount = signCount;
    const response = await unchanged(() => signInByPasskey(new Person(server), authenticator));
    expect([signCount, response.status]).toEqual([signCount, 401]);
  }
  authenticator.signCount = 8;
  expect((await signInByPasskey(new Person(server), authenticator)).status).toBe(200);
});

test("a lock after wrong passwords does not stop a passkey; a deactivated account does", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const mine = eq(users.id, user.id);
  await db.update(users).set({ failedAttempts: 20, lockedAt: new Date() }).where(mine);
  expect((await new Person(server).signIn(user.email)).status).toBe(403);
  expect((await signInByPasskey(new Person(server), authenticator)).status).toBe(200);
  await db.update(users).set({ deactivatedAt: new Date() }).where(mine);
  const response = await signInByPasskey(new Person(server), authenticator);
  expect([response.status, await response.json()]).toMatchObject([403, { code: "inactive" }]);
});

test("nobody renames or removes the passkey of another user", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { id } = await addPasskey(person);
  const { person: other } = await buildSignedIn(deps, server);
  const path = `/api/v1/users/me/passkeys/${id}`;
  const body = { passkey: { name: "Mine" } };
  expect((await unchanged(() => other.send("PATCH", path, { body }))).status).toBe(404);
  expect((await unchanged(() => other.send("DELETE", path))).status).toBe(404);
});

/** What the owner of an account was told, oldest first. */
async function toldTo(userId: number) {
  const written = await db.select().from(mails).where(eq(mails.userId, userId)).orderBy(asc(mails.id));
  const shown = await read.told(userId);
  return {
    mails: written.map(({ kind, recipient }) => [kind, recipient]),
    notifications: shown.map(({ kind, title, body, url }) => ({ kind, title, body, url })),
    letters: await Promise.all(written.map((mail) => composeMail(deps, mail))),
  };
}

test("the owner of an account gets a mail and a notification when a passkey is added or removed", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { id } = await addPasskey(person);
  const added = await toldTo(user.id);
  expect(added.mails).toEqual([["passkey_added", String(user.email)]]);
  expect(added.letters[0]).toMatchObject({ to: user.email, subject: "A passkey was added to your account" });
  expect(added.notifications).toEqual([
    {
      kind: "security",
      title: "A passkey was added",
      body: "“My phone” signs in to your account from now on. Was it not you? Remove it, and choose a new password.",
      url: "/profile/account",
    },
  ]);
  const removed = await person.send("DELETE", `/api/v1/users/me/passkeys/${id}`);
  expect(removed.status).toBe(204);
  const told = await toldTo(user.id);
  expect(told.mails.map(([kind]) => kind)).toEqual(["passkey_added", "passkey_removed"]);
  expect(told.letters[1]).toMatchObject({ subject: "A passkey was removed from your account" });
  expect(told.notifications[1]).toMatchObject({ kind: "security", title: "A passkey was removed" });
});

const askToConfirm = (person: Person) => person.send("POST", "/api/v1/users/me/passkeys/confirmation");
const sendDeletion = (person: Person, user: object) =>
  person.send("PUT", "/api/v1/users/me/delete", { body: { user } });
const rowOf = (id: number) => read.row(users, id);

test("an account is deleted by a passkey instead of the password", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const options = await confirmOptionsIn(await askToConfirm(person));
  const { credentialId } = await read.row(passkeys, eq(passkeys.userId, user.id));
  expect(options.allowCredentials).toEqual([{ id: credentialId, type: "public-key" }]);
  const account = await (await person.get("/api/v1/users/me/account")).json();
  expect(account).toMatchObject({ account: { passkeysCount: 1 } });
  const deleted = await sendDeletion(person, { credential: authenticator.get(options) });
  expect(deleted.status).toBe(204);
  expect(await rowOf(user.id)).toMatchObject({ username: `gone_${user.id}`, email: null });
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
});

test("another user's passkey, a used answer, another sign-in's challenge and no proof at all delete nothing", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { authenticator } = await addPasskey(person);
  const { person: other } = await buildSignedIn(deps, server);
  expect((await askToConfirm(other)).status).toBe(422);
  const { authenticator: foreign } = await addPasskey(other);
  const before = await read.digest();
  const stolen = await confirmOptionsIn(await askToConfirm(person));
  expect((await sendDeletion(person, { credential: foreign.get(stolen) })).status).toBe(401);
  const theirs = await confirmOptionsIn(await askToConfirm(other));
  expect((await sendDeletion(person, { credential: authenticator.get(theirs) })).status).toBe(401);
  const spent = await confirmOptionsIn(await askToConfirm(person));
  expect(
    (await sendDeletion(person, { credential: authenticator.get(spent, { verified: false }) })).status,
  ).toBe(401);
  expect((await sendDeletion(person, { credential: authenticator.get(spent) })).status).toBe(401);
  const none = await sendDeletion(person, {});
  expect([none.status, await none.json()]).toMatchObject([
    422,
    { errors: { currentPassword: ["is required"] } },
  ]);
  expect(await read.digest()).toBe(before);
  expect((await sendDeletion(person, { current_password: PASSWORD })).status).toBe(204);
});

// Who sits at a browser that was left open is signed in and knows no password: nothing about how its user signs in changes.

const ME = "/api/v1/users/me";
const NEW = "nine green ladders";

/** An admin's sign-in by passkey that began longer ago than it counts as proof. */
async function buildLeftOpen(agedS = FRESH_S + 1) {
  const { user, person } = await buildSignedIn(deps, server, await build.admin());
  const { authenticator, id } = await addPasskey(person);
  await set(signIns, eq(signIns.userId, user.id), {
    createdAt: sql`clock_timestamp() - make_interval(secs => ${agedS})`,
  });
  return { user, person, authenticator, id };
}

type LeftOpen = Awaited<ReturnType<typeof buildLeftOpen>>;

type Change = (open: LeftOpen, proof: object) => Promise<Response>;
/** A sign-in by passkey is proof of these for a while. */
const changes: [string, Change][] = [
  [
    "adding a passkey",
    ({ person }, proof) => person.send("POST", `${ME}/passkeys/options`, { body: { passkey: proof } }),
  ],
  [
    "removing a passkey",
    ({ person, id }, proof) => person.send("DELETE", `${ME}/passkeys/${id}`, { body: { passkey: proof } }),
  ],
  [
    "making an access token",
    ({ person }, proof) =>
      person.send("POST", `${ME}/access_tokens`, { body: { access_token: { name: "Board", ...proof } } }),
  ],
];

/** These ask in any case. */
const strictChanges: [string, Change][] = [
  [
    "changing the password",
    ({ person }, proof) =>
      person.send("PUT", `${ME}/password`, {
        body: { user: { password: NEW, password_confirmation: NEW, ...proof } },
      }),
  ],
  [
    "changing the email",
    ({ person }, proof) =>
      person.send("PUT", `${ME}/email`, { body: { user: { email: "new@example.test", ...proof } } }),
  ],
  [
    "deactivating the account",
    ({ person }, proof) => person.send("PUT", `${ME}/deactivate`, { body: { user: proof } }),
  ],
];

const byPassword = { current_password: PASSWORD };
async function byPasskey(person: Person, authenticator: Authenticator) {
  const options = await confirmOptionsIn(await person.send("POST", `${ME}/passkeys/confirmation`));
  return { credential: authenticator.get(options) };
}

test.each([...changes, ...strictChanges])("%s is refused without a proof", async (_name, change) => {
  const open = await buildLeftOpen();
  const before = await read.digest();
  const refused = await change(open, {});
  expect([refused.status, await refused.json()]).toMatchObject([
    422,
    { errors: { currentPassword: expect.anything() } },
  ]);
  expect(await read.digest()).toBe(before);
});

test.each(changes)(
  "%s is done with the password, a passkey or a fresh sign-in by passkey",
  async (_name, change) => {
    const first = await buildLeftOpen();
    expect((await change(first, byPassword)).status).toBeLessThan(300);
    const second = await buildLeftOpen();
    const proof = await byPasskey(second.person, second.authenticator);
    expect((await change(second, proof)).status).toBeLessThan(300);
    const fresh = await buildLeftOpen(FRESH_S - 60);
    expect((await change(fresh, {})).status).toBeLessThan(300);
  },
);

test("a passkey that was removed by nobody is still there, and an answer that was used proves nothing more", async () => {
  const open = await buildLeftOpen();
  const { person, authenticator, id, user } = open;
  const own = eq(passkeys.userId, user.id);
  const wrong = await person.send("DELETE", `${ME}/passkeys/${id}`, {
    body: { passkey: { current_password: "wrong" } },
  });
  expect([wrong.status, await db.$count(passkeys, own)]).toEqual([422, 1]);
  const proof = await byPasskey(person, authenticator);
  const options = await person.send("POST", `${ME}/passkeys/options`, { body: { passkey: proof } });
  expect(options.status).toBe(200);
  const again = await person.send("DELETE", `${ME}/passkeys/${id}`, { body: { passkey: proof } });
  expect([again.status, await db.$count(passkeys, own)]).toEqual([401, 1]);
});

test("a fresh sign-in by password is no proof: a person who has typed the password can type it again", async () => {
  const { person, user } = await buildSignedIn(deps, server, await build.player());
  const asked = await person.send("POST", `${ME}/passkeys/options`, { body: { passkey: {} } });
  expect([asked.status, await db.$count(passkeys, eq(passkeys.userId, user.id))]).toEqual([422, 0]);
});
