import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { openMailbox } from "#tests/people/users/mailbox.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import { type BuiltUser, only, readSpots } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { Reader, readerFor, type Page } from "./browser.ts";
import { all, parsePage, textsOf, linksOf } from "./parse-page.ts";

const NEW_PASSWORD = "something quite new";
const newPassword = { "user[password]": NEW_PASSWORD, "user[password_confirmation]": NEW_PASSWORD };

const { deps, db, build, server } = await testWorld({ RATE_LIMITS: "off" });

async function buildPerson(): Promise<BuiltUser> {
  const user = await build.player();
  await givePassword(deps, user.id);
  return user;
}

const userOf = async ({ id }: { id: number }) => only(await db.select().from(users).where(eq(users.id, id)));
const fieldsOf = (email: string | null, password = PASSWORD) => ({
  "user[email]": email ?? "",
  "user[password]": password,
});
const signIn = (email: string | null, password: string) =>
  new Reader(server).sendForm("/users/sign_in", fieldsOf(email, password));

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
  expect((await close("not it")).html).toContain("That was not your password. Your account stays open.");
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
  await db.update(users).set({ guest: true }).where(eq(users.id, user.id));
  expect((await reader.open("/profile/account")).location).toBe("/guest");
});

const ana = await buildPerson();

test("signing in redirects back to the previous page, but never to another site", async () => {
  const back = async (to: string) => {
    const path = `/users/sign_in?${new URLSearchParams({ return_to: to }).toString()}`;
    return (await new Reader(server).sendForm(path, fieldsOf(ana.email))).location;
  };
  expect(await back("/profile/wallet?page=2")).toBe("/profile/wallet?page=2");
  for (const elsewhere of [
    "https://evil.test/",
    "//evil.test",
    "/\\evil.test",
    "javascript:alert(1)",
    "/a b",
  ]) {
    expect(await back(elsewhere)).toBe("/sessions");
  }
});

test("who was sent to the sign-in page finds its form first and the game below; the page itself begins with the game", async () => {
  const read = async (path: string) => {
    const page = parsePage((await new Reader(server).open(path)).html);
    return {
      heading: textsOf(page, "h1"),
      parts: all(page, "main input").map((field) => field.getAttribute("name")),
    };
  };
  const sent = await read("/users/sign_in?return_to=%2Fblueprints");
  expect(sent.heading).toEqual(["Sign in"]);
  const ofForm = sent.parts.filter((name) => name !== "authenticity_token").slice(0, 2);
  expect(ofForm).toEqual(["user[email]", "user[password]"]);
  expect(sent.parts).toContain("code");
  const door = await read("/users/sign_in");
  expect(door.heading).toEqual(["Say it before it happens."]);
  expect(door.parts.indexOf("code")).toBeLessThan(door.parts.indexOf("user[email]"));
});

test("demo players are offered in a demo only", async () => {
  expect((await new Reader(server).open("/users/sign_in")).html).not.toContain("called-it-demo");
  const demo = createServer({ ...deps, env: { ...deps.env, demo: true } });
  expect((await new Reader(demo).open("/users/sign_in")).html).toContain("called-it-demo");
});

const SHOW = "/sessions/the-show";

const show = await build.runningSession({ slug: "the-show", name: "The Show" });
const admin = await readerFor(deps, server, await build.admin());

/** Signs in as a player whose account was changed. */
async function signInAfter(changes: Partial<BuiltUser>, password = PASSWORD): Promise<Page> {
  const user = await buildPerson();
  await db.update(users).set(changes).where(eq(users.id, user.id));
  return signIn(user.email, password);
}

/** Calls two dollars with one, by the form without JavaScript. */
async function callTooMuch(): Promise<Page> {
  const player = await readerFor(deps, server, await build.player({ balanceCents: 100 }));
  const { id } = await build.event("open", { sessionId: show.id });
  const spots = await readSpots(deps, id);
  return player.sendForm(SHOW, { intent: "place", spot_id: String(spots.true.id), wager: "2" });
}

/** Opens the sign-in page with a sign-in that has expired. */
async function openExpired(): Promise<Page> {
  const user = await build.player();
  const reader = await readerFor(deps, server, user);
  await deps.pool.sql`UPDATE sign_ins SET expires_at = clock_timestamp() WHERE user_id = ${user.id}`;
  return reader.open("/users/sign_in?return_to=%2Fprofile");
}

/** A link, as "text path", or a sentence. */
type Next = { link: string } | { sentence: string };

/** Each error on its page: how to get it, its text, and what to do next. */
const errors: [error: string, get: () => Promise<Page>, text: string, next: Next][] = [
  [
    "a locked account",
    () => signInAfter({ failedAttempts: 19 }, "wrong"),
    "Your account is locked.",
    { link: "Send me the mail again /users/unlock" },
  ],
  [
    "an address that is not confirmed",
    () => signInAfter({ confirmedAt: null, confirmBy: new Date() }),
    "You have to confirm your email address before continuing.",
    { link: "Send me the mail again /users/confirmation" },
  ],
  [
    "an account that is not activated",
    () => signInAfter({ deactivatedAt: new Date() }),
    "Your account is not activated yet.",
    { sentence: "Ask the host to activate it." },
  ],
  [
    "an expired sign-in",
    openExpired,
    "Your session expired. Please sign in again to continue.",
    { link: "Create an account /users/guest_registration?return_to=%2Fprofile" },
  ],
  [
    "no sign-in",
    () => new Reader(server).open("/users/sign_in?return_to=%2Fprofile"),
    "You need to sign in or sign up before continuing.",
    { link: "Create an account /users/guest_registration?return_to=%2Fprofile" },
  ],
  [
    "a new password without the mail",
    () => new Reader(server).open("/users/password/edit"),
    "You can't access this page without coming from a password reset email.",
    { link: "Ask for a new link /users/password" },
  ],
  [
    "a call that the balance does not cover",
    callTooMuch,
    "Your wallet has insufficient balance to cover this wager.",
    { link: "$1.00 /profile/wallet" },
  ],
  [
    "a page that does not exist",
    () => admin.open("/nowhere"),
    "This page does not exist, or it is not yours to see.",
    { link: "Go to the sessions /sessions" },
  ],
];

test.each(errors)("the page after %s says so, and what to do next", async (_, get, text, next) => {
  const page = parsePage((await get()).html);
  expect(page.body.textContent).toContain(text);
  if ("link" in next) expect(linksOf(page, "a")).toContain(next.link);
  else expect(page.body.textContent).toContain(next.sentence);
});
