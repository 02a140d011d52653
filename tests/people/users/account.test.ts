import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { mailKinds } from "#db/lists/mails.ts";
import { mails } from "#db/schema/mails.ts";
import { sessions } from "#db/schema/sessions.ts";
import { signIns, userRoles, users } from "#db/schema/users.ts";
import { accountAnswer } from "#src/people/users/schemas.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { userChannel } from "#tests/live/cable/client.ts";
import { type BuiltUser, only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { linkMailedTo, openMailbox, secretIn } from "./mailbox.ts";
import { NEW_PASSWORD, PASSWORD, Person, buildSignedIn } from "./person.ts";

const { deps, server, db, build, read, set } = await testWorld({ RATE_LIMITS: "off" });

async function signInAgain(user: BuiltUser): Promise<Person> {
  const person = new Person(server);
  await person.signIn(user.email);
  return person;
}

const userOf = ({ id }: { id: number }) => read.row(users, id);
const isIn = async (person: Person) => (await person.get("/api/v1/users/me")).status === 200;
const put = (person: Person, what: string, user: object) =>
  person.send("PUT", `/api/v1/users/me/${what}`, { body: { user } });
const changePassword = (person: Person, current = PASSWORD, password = NEW_PASSWORD) =>
  put(person, "password", { current_password: current, password, password_confirmation: password });
const changeEmail = (person: Person, email: string | null, current = PASSWORD) =>
  put(person, "email", { email, current_password: current });
const accountOf = async (person: Person) =>
  v.parse(accountAnswer, await (await person.get("/api/v1/users/me/account")).json());

test("a new password is the same in each form of its letters: typed twice, as the current one, and at the sign-in", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  // As one device types it, and as another does.
  const [composed = "", decomposed = ""] = ["NFC", "NFD"].map((form) => "süße Ännchen".normalize(form));
  const twice = (current: string, password: string, again: string) =>
    put(person, "password", { current_password: current, password, password_confirmation: again });
  expect((await twice(PASSWORD, decomposed, composed)).status).toBe(200);
  expect((await new Person(server).signIn(user.email, composed)).status).toBe(200);
  expect((await new Person(server).signIn(user.email, decomposed)).status).toBe(200);
  expect((await twice(composed, decomposed, decomposed)).status).toBe(200);
  expect((await twice(decomposed, composed, `${composed}!`)).status).toBe(422);
  expect((await put(person, "deactivate", { current_password: decomposed })).status).toBe(204);
});

test("a new password signs out all other browsers and their sockets, and is reported by mail", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const other = await signInAgain(user);
  const stage = startCableServer(deps);
  const cookie = `called_it=${other.cookies.get("called_it")}`;
  const socket = await stage.connect({ cookie });
  await socket.follow(userChannel(`gid://called-it/User/${user.id}`));

  expect((await changePassword(person)).status).toBe(200);
  expect(await socket.waitForClose()).toBe(1_000);
  await stage.stop();
  expect(await isIn(other)).toBe(false);
  expect(await isIn(person)).toBe(true);
  expect((await new Person(server).signIn(user.email, PASSWORD)).status).toBe(401);
  expect((await new Person(server).signIn(user.email, NEW_PASSWORD)).status).toBe(200);
  expect((await openMailbox(deps, user.email))[0]?.subject).toBe("Your password was changed");
});

test("a new password revokes links that were mailed before", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  await changeEmail(person, `new-${user.email}`);
  const link = await linkMailedTo(deps, `new-${user.email}`);
  await changePassword(person);
  expect((await new Person(server).press(link)).status).toBe(422);
  expect((await userOf(user)).email).toBe(user.email);
});

test("the current password is required", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const before = await userOf(user);
  const wrong = await changePassword(person, "not it");
  expect(wrong.status).toBe(422);
  expect(await wrong.json()).toMatchObject({ errors: { currentPassword: ["is invalid"] } });
  expect((await changeEmail(person, "other@example.test", "not it")).status).toBe(422);
  expect((await put(person, "deactivate", { current_password: "not it" })).status).toBe(422);
  expect(await userOf(user)).toEqual(before);
  expect(await db.$count(mails, eq(mails.userId, user.id))).toBe(0);
});

test("a new address replaces the old one when its link is opened; the old one is notified", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const newEmail = `moved-${user.email}`;
  expect((await changeEmail(person, ` ${newEmail.toUpperCase()} `)).status).toBe(200);
  const link = await linkMailedTo(deps, newEmail);
  expect((await openMailbox(deps, user.email))[0]?.subject).toBe("Your email address is about to change");
  expect((await accountOf(person)).account).toEqual({
    email: user.email,
    confirmed: true,
    pendingEmail: newEmail,
    passkeysCount: 0,
  });
  expect((await userOf(user)).email).toBe(user.email);

  for (let time = 0; time < 2; time += 1) expect((await new Person(server).press(link)).status).toBe(200);
  const account = { email: newEmail, confirmed: true, pendingEmail: null, passkeysCount: 0 };
  expect((await accountOf(person)).account).toEqual(account);
  expect((await openMailbox(deps, user.email))[0]?.subject).toBe("Your email address was changed");
  expect((await new Person(server).signIn(newEmail)).status).toBe(200);
  expect((await new Person(server).signIn(user.email)).status).toBe(401);
});

test("another change of the address replaces the earlier one, and revokes reset links", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  await changeEmail(person, `one-${user.email}`);
  const first = await linkMailedTo(deps, `one-${user.email}`);
  await person.send("POST", "/users/password", { body: { user: { email: user.email } } });
  const reset = secretIn(await linkMailedTo(deps, user.email));
  await changeEmail(person, `two-${user.email}`);
  expect((await new Person(server).press(first)).status).toBe(422);
  expect((await new Person(server).press(await linkMailedTo(deps, `two-${user.email}`))).status).toBe(200);
  const body = {
    user: { reset_password_token: reset, password: NEW_PASSWORD, password_confirmation: NEW_PASSWORD },
  };
  expect((await person.send("PUT", "/users/password", { body })).status).toBe(422);
  expect((await userOf(user)).email).toBe(`two-${user.email}`);
});

test("an address that is taken is refused, also if it is taken before the link is opened", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const { user: other } = await buildSignedIn(deps, server);
  const taken = { errors: { email: ["has already been taken"] } };
  expect(await (await changeEmail(person, other.email)).json()).toMatchObject(taken);
  expect(await (await changeEmail(person, user.email)).json()).toMatchObject(taken);
  expect(await db.$count(mails, eq(mails.userId, user.id))).toBe(0);

  await changeEmail(person, "wanted@example.test");
  const link = await linkMailedTo(deps, "wanted@example.test");
  await db.update(users).set({ email: "wanted@example.test" }).where(eq(users.id, other.id));
  const late = await new Person(server).press(link);
  expect([late.status, await late.json()]).toMatchObject([422, taken]);
  expect((await userOf(user)).email).toBe(user.email);
});

test("the list of sign-ins starts with this browser; the others can be signed out", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const [other, third] = [await signInAgain(user), await signInAgain(user)];
  await set(signIns, eq(signIns.userId, user.id), {
    userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    address: "192.0.2.7",
  });
  const old = await signInAgain(user);
  await db.execute(
    sql`UPDATE sign_ins SET last_seen_at = clock_timestamp() - interval '31 minutes'
      WHERE id = (SELECT id FROM sign_ins WHERE user_id = ${user.id} ORDER BY created_at DESC LIMIT 1)`,
  );
  const { signIns: listed } = await accountOf(person);
  expect(listed.map(({ current }) => current)).toEqual([true, false, false]);
  expect(listed[0]).toMatchObject({ browser: "Firefox on Linux", address: "192.0.2.7", remembered: false });

  const last = listed.at(-1)?.id;
  const end = (id: string | undefined) => person.send("DELETE", `/api/v1/users/me/sign_ins/${id}`);
  expect((await end(last)).status).toBe(204);
  expect((await end(last)).status).toBe(404);
  expect([await isIn(other), await isIn(third)].filter(Boolean)).toHaveLength(1);
  expect((await person.send("DELETE", "/api/v1/users/me/sign_ins")).status).toBe(204);
  expect([await isIn(other), await isIn(third), await isIn(old)]).toEqual([false, false, false]);
  expect(await isIn(person)).toBe(true);
});

test("another user's sign-in is not found, and stays valid", async () => {
  const { person } = await buildSignedIn(deps, server);
  const { person: victim } = await buildSignedIn(deps, server);
  const [theirs] = (await accountOf(victim)).signIns;
  for (const id of [theirs?.id, crypto.randomUUID(), "1", "%27"]) {
    expect((await person.send("DELETE", `/api/v1/users/me/sign_ins/${id}`)).status).toBe(404);
  }
  expect(await isIn(victim)).toBe(true);
});

test("deactivating one's account ends all sign-ins, refuses new ones, and is audited", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  const other = await signInAgain(user);
  expect((await put(person, "deactivate", { current_password: PASSWORD })).status).toBe(204);
  expect(person.cookies.has("called_it")).toBe(false);
  expect(await isIn(other)).toBe(false);
  const back = await new Person(server).signIn(user.email);
  expect(await back.json()).toMatchObject({ error: "Your account is not activated yet." });
  const entry = only(await read.audit({ subjectId: user.id }));
  expect(entry).toMatchObject({ action: "deactivate", actorId: user.id, subjectType: "user" });
});

test("an admin cannot deactivate their own account", async () => {
  const { user, person } = await buildSignedIn(deps, server);
  await db.insert(userRoles).values({ userId: user.id, role: "admin" });
  expect((await put(person, "deactivate", { current_password: PASSWORD })).status).toBe(403);
  expect((await userOf(user)).deactivatedAt).toBeNull();
  expect(await isIn(person)).toBe(true);
});

test("what opens the links of all mails, as mail scanners and browsers do ahead, confirms, unlocks and changes nothing", async () => {
  const user = await build.player();
  const { id: sessionId } = await build.session();
  const startsAt = sql`game_now() + interval '10 minutes'`;
  await db.update(sessions).set({ startsAt }).where(eq(sessions.id, sessionId));
  const locked = { confirmedAt: null, failedAttempts: 20, lockedAt: sql`clock_timestamp()` };
  await db.update(users).set(locked).where(eq(users.id, user.id));
  const recipient = String(user.email);
  for (const kind of mailKinds)
    await db.insert(mails).values({ kind, recipient, userId: user.id, sessionId });
  const texts = (await openMailbox(deps, user.email)).map(({ text }) => text).join("\n");
  const links = [...texts.matchAll(/https?:\/\/\S+/g)].map(([url]) =>
    new URL(url).href.replace(deps.env.publicUrl, ""),
  );
  const paths = links.map((link) => link.split("?")[0]?.replace(/session-[^/]*/, ":id") ?? "");
  expect([...new Set(paths)].toSorted()).toEqual([
    "/sessions/:id",
    "/sessions/:id/remind",
    "/users/confirmation",
    "/users/password/edit",
    "/users/unlock",
  ]);
  const before = await read.digest();
  const scanner = new Person(server);
  const requests = links.flatMap((link) => [
    { method: "GET", link },
    { method: "HEAD", link },
  ]);
  for (const { method, link } of requests)
    for (const accept of ["text/html", "application/json"])
      for (const purpose of ["", "prefetch;prerender"])
        await scanner.send(method, link, { headers: { accept, "sec-purpose": purpose } });
  expect(await read.digest()).toBe(before);
});
