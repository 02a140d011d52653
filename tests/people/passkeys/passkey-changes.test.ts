import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import { mails } from "#db/schema/mails.ts";
import { notifications } from "#db/schema/notifications.ts";
import { passkeys } from "#db/schema/passkeys.ts";
import { users } from "#db/schema/users.ts";
import { composeMail } from "#src/people/users/compose-mail.ts";
import { createServer } from "#src/server.ts";
import { only } from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { PASSWORD, type Person } from "../users/person.ts";
import { Authenticator, type Lies } from "./authenticator.ts";
import {
  addPasskey,
  askForPasskey,
  buildOwner,
  confirmOptionsIn,
  optionsIn,
  sendPasskey,
} from "./passkey-owner.ts";

const deps = await testDeps({ RATE_LIMITS: "off" });
const { db } = deps.pool;
const server = createServer(deps);

/** What the owner of an account was told, oldest first. */
async function toldTo(userId: number) {
  const written = await db.select().from(mails).where(eq(mails.userId, userId)).orderBy(asc(mails.id));
  const shown = await db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(asc(notifications.id));
  return {
    mails: written.map(({ kind, recipient }) => [kind, recipient]),
    notifications: shown.map(({ kind, title, body, url }) => ({ kind, title, body, url })),
    letters: await Promise.all(written.map((mail) => composeMail(deps, mail))),
  };
}

test("the owner of an account gets a mail and a notification when a passkey is added or removed", async () => {
  const { user, person } = await buildOwner(deps, server);
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

test("what is refused is not told", async () => {
  const { user, person } = await buildOwner(deps, server);
  const options = await optionsIn(await askForPasskey(person));
  await sendPasskey(person, new Authenticator(), { options, lies: { verified: false } });
  expect((await person.send("DELETE", "/api/v1/users/me/passkeys/999999")).status).toBe(404);
  expect(await toldTo(user.id)).toEqual({ mails: [], notifications: [], letters: [] });
});

const askToConfirm = (person: Person) => person.send("POST", "/api/v1/users/me/passkeys/confirmation");
const sendDeletion = (person: Person, user: object) =>
  person.send("PUT", "/api/v1/users/me/delete", { body: { user } });
const rowOf = async (id: number) => only(await db.select().from(users).where(eq(users.id, id)));

test("an account is deleted by a passkey instead of the password", async () => {
  const { user, person } = await buildOwner(deps, server);
  const { authenticator } = await addPasskey(person);
  const options = await confirmOptionsIn(await askToConfirm(person));
  const { credentialId } = only(await db.select().from(passkeys).where(eq(passkeys.userId, user.id)));
  expect(options.allowCredentials).toEqual([{ id: credentialId, type: "public-key" }]);
  const account = await (await person.get("/api/v1/users/me/account")).json();
  expect(account).toMatchObject({ account: { passkeysCount: 1 } });
  const deleted = await sendDeletion(person, { credential: authenticator.get(options) });
  expect(deleted.status).toBe(204);
  expect(await rowOf(user.id)).toMatchObject({ username: `gone_${user.id}`, email: null });
  expect((await person.get("/api/v1/users/me")).status).toBe(401);
});

test.each<[string, Lies]>([
  ["with another challenge", { challenge: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" }],
  ["from another origin", { origin: "https://evil.example" }],
  ["of another host", { rpId: "evil.example" }],
  ["of a user who was not verified", { verified: false }],
])("an answer %s deletes nothing", async (_name, lies) => {
  const { user, person } = await buildOwner(deps, server);
  const { authenticator } = await addPasskey(person);
  const options = await confirmOptionsIn(await askToConfirm(person));
  const before = await digestTables(db);
  const refused = await sendDeletion(person, { credential: authenticator.get(options, lies) });
  expect([refused.status, await refused.json()]).toMatchObject([401, { code: "passkey_refused" }]);
  expect(await digestTables(db)).toBe(before);
  expect((await rowOf(user.id)).deletedAt).toBeNull();
});

test("another user's passkey, a used answer, another sign-in's challenge and no proof at all delete nothing", async () => {
  const { person } = await buildOwner(deps, server);
  const { authenticator } = await addPasskey(person);
  const { person: other } = await buildOwner(deps, server);
  expect((await askToConfirm(other)).status).toBe(422);
  const { authenticator: foreign } = await addPasskey(other);
  const before = await digestTables(db);
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
  expect(await digestTables(db)).toBe(before);
  expect((await sendDeletion(person, { current_password: PASSWORD })).status).toBe(204);
});
