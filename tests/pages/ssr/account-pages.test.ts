import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { linkMailedTo, openMailbox, secretIn } from "#tests/people/users/mailbox.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { type BuiltUser, buildPlayer, only } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { Reader, readerFor } from "./browser.ts";

const NEW_PASSWORD = "something quite new";
const newPassword = { "user[password]": NEW_PASSWORD, "user[password_confirmation]": NEW_PASSWORD };

const deps = await testDeps({ RATE_LIMITS: "off" });
const server = createServer(deps);

async function buildPerson(): Promise<BuiltUser> {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  return user;
}

const userOf = async ({ id }: { id: number }) =>
  only(await deps.pool.db.select().from(users).where(eq(users.id, id)));
const signIn = (email: string | null, password: string) =>
  new Reader(server).sendForm("/users/sign_in", {
    "user[email]": email ?? "",
    "user[password]": password,
  });

test("without JavaScript: a player requests a link, opens it, and sets a new password", async () => {
  const user = await buildPerson();
  const reader = new Reader(server);
  expect((await reader.open("/users/sign_in")).html).toContain('href="/users/password"');
  const response = await reader.sendForm("/users/password", { "user[email]": String(user.email) });
  expect(response.status).toBe(200);
  expect(response.html).toContain("a mail with a link is on its way");

  const link = await linkMailedTo(deps, user.email);
  const page = await reader.open(link);
  expect(page.status).toBe(200);
  expect(page.headers.get("referrer-policy")).toBe("same-origin");
  expect(page.headers.get("cache-control")).toBe("no-store");
  const refused = await reader.sendForm(link, { ...newPassword, "user[password]": "short" });
  expect(refused.status).toBe(422);
  expect(refused.html).toContain("is too short (minimum is 8 characters)");
  const changed = await reader.sendForm(link, newPassword);
  expect([changed.status, changed.location]).toEqual([303, "/profile/account?done=password"]);
  expect((await reader.open("/profile/account?done=password")).html).toContain("Changed. Everybody else");
  expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(302);
  expect((await reader.open(link)).html).toContain("This link is used up or too old");
});

test("the page for a new password explains what is missing without a link", async () => {
  const { status, html } = await new Reader(server).open("/users/password/edit");
  expect(status).toBe(403);
  expect(html).toContain("You can&#x27;t access this page without coming from a password reset email.");
  expect(html).not.toContain("user[password]");
});

test("an unknown address is answered like a known one, and an invalid one is an error", async () => {
  for (const path of ["/users/password", "/users/confirmation", "/users/unlock"]) {
    const unknown = await new Reader(server).sendForm(path, { "user[email]": "nobody@example.test" });
    expect(unknown.html).toContain("a mail with a link is on its way");
    const wrong = await new Reader(server).sendForm(path, { "user[email]": "nobody" });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain("Email is invalid");
  }
});

test("a locked account gets a mail whose link unlocks it; a wrong link offers a new mail", async () => {
  const user = await buildPerson();
  await deps.pool.db.update(users).set({ failedAttempts: 18 }).where(eq(users.id, user.id));
  expect((await signIn(user.email, "a guess")).html).toContain(
    "You have one more attempt before your account is locked.",
  );
  const locked = await signIn(user.email, "a guess");
  expect(locked.status).toBe(403);
  expect(locked.html).toContain("Your account is locked.");
  expect(locked.html).toContain('href="/users/unlock"');

  const wrong = await new Reader(server).open("/users/unlock?unlock_token=wrong");
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("This link is used up or too old");
  expect(wrong.html).toContain("user[email]");
  const reader = new Reader(server);
  const link = await linkMailedTo(deps, user.email);
  const asked = await reader.open(link);
  expect(asked.html).toContain("Unlock my account");
  const opened = await reader.sendForm(link, { "user[secret]": secretIn(link) });
  expect(opened.html).toContain("Your account is unlocked. Sign in to go on.");
  expect((await signIn(user.email, PASSWORD)).status).toBe(302);
});

test("the sign-in page gives a reason only after a redirect", async () => {
  expect((await new Reader(server).open("/users/sign_in")).html).not.toContain("You need to sign in");
  const sent = await new Reader(server).open("/profile/account");
  expect(sent.location).toBe("/users/sign_in?return_to=%2Fprofile%2Faccount");
  expect((await new Reader(server).open(String(sent.location))).html).toContain(
    "You need to sign in or sign up before continuing.",
  );

  const user = await buildPerson();
  const idle = await readerFor(deps, server, user);
  await deps.pool.sql`UPDATE sign_ins SET expires_at = clock_timestamp() WHERE user_id = ${user.id}`;
  expect((await idle.open("/users/sign_in")).html).toContain(
    "Your session expired. Please sign in again to continue.",
  );
});

test("a sign-in without a confirmed address fails with the reason and a link to a new mail", async () => {
  const user = await buildPerson();
  await deps.pool.db
    .update(users)
    .set({ confirmedAt: null, confirmBy: new Date() })
    .where(eq(users.id, user.id));
  const refused = await signIn(user.email, PASSWORD);
  expect(refused.html).toContain("You have to confirm your email address before continuing.");
  expect(refused.html).toContain('href="/users/confirmation"');
});

test("without JavaScript: a player changes the address and password, and ends sign-ins", async () => {
  const user = await buildPerson();
  const reader = await readerFor(deps, server, user);
  const other = await readerFor(deps, server, user);
  const send = (fields: Record<string, string>) =>
    reader.sendForm("/profile/account", { "user[current_password]": PASSWORD, ...fields });

  const wrong = await send({ intent: "password", ...newPassword, "user[current_password]": "not it" });
  expect(wrong.status).toBe(422);
  expect(wrong.html).toContain("Current password is invalid");
  const email = `moved-${user.email}`;
  const response = await send({ intent: "email", "user[email]": email });
  expect([response.status, response.location]).toEqual([303, "/profile/account?done=email"]);
  expect(await openMailbox(deps, email)).toHaveLength(1);
  expect((await reader.open("/profile/account")).html).toContain(email);

  expect((await other.open("/profile/account")).status).toBe(200);
  expect((await send({ intent: "end_other_sign_ins" })).location).toBe(
    "/profile/account?done=end_other_sign_ins",
  );
  expect((await other.open("/profile/account")).status).toBe(302);
  expect((await send({ intent: "password", ...newPassword })).location).toBe(
    "/profile/account?done=password",
  );
  expect((await signIn(user.email, NEW_PASSWORD)).status).toBe(302);
});

test("without JavaScript: a player closes the own account with the password", async () => {
  const user = await buildPerson();
  const reader = await readerFor(deps, server, user);
  const close = (password: string) =>
    reader.sendForm("/profile/account", { intent: "close", "user[current_password]": password });
  const wrong = await close("not it");
  expect(wrong.html).toContain("That was not your password. Your account stays open.");
  expect((await userOf(user)).deactivatedAt).toBeNull();
  const closed = await close(PASSWORD);
  expect(closed.location).toBe("/users/sign_in?now=account_closed");
  expect((await reader.open("/profile/account")).status).toBe(302);
  expect((await signIn(user.email, PASSWORD)).html).toContain("Your account is not activated yet.");
});

test("an unknown intent changes nothing, and a guest has no account page", async () => {
  const user = await buildPerson();
  const reader = await readerFor(deps, server, user);
  const before = await userOf(user);
  for (const intent of ["", "toString", "erase"]) {
    expect((await reader.sendForm("/profile/account", { intent })).location).toBe("/profile/account");
  }
  expect(await userOf(user)).toEqual(before);
  await deps.pool.db.update(users).set({ guest: true }).where(eq(users.id, user.id));
  expect((await reader.open("/profile/account")).location).toBe("/guest");
});
