import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { givePassword, PASSWORD } from "#tests/people/users/person.ts";
import {
  type BuiltUser,
  buildAdmin,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { type Page, Reader, readerFor } from "./browser.ts";
import { linksOf, parsePage } from "./parse-page.ts";

const SHOW = "/sessions/the-show";

const deps = await testDeps();
const server = createServer(deps);
const show = await buildRunningSession(deps, { slug: "the-show", name: "The Show" });
const admin = await readerFor(deps, server, await buildAdmin(deps));

/** Signs in as a player whose account was changed. */
async function signInAfter(changes: Partial<BuiltUser>, password = PASSWORD): Promise<Page> {
  const user = await buildPlayer(deps);
  await givePassword(deps, user.id);
  await deps.pool.db.update(users).set(changes).where(eq(users.id, user.id));
  return new Reader(server).sendForm("/users/sign_in", {
    "user[email]": String(user.email),
    "user[password]": password,
  });
}

/** Calls two dollars with one, by the form without JavaScript. */
async function callTooMuch(): Promise<Page> {
  const player = await readerFor(deps, server, await buildPlayer(deps, { balanceCents: 100 }));
  const { id } = await buildEvent(deps, "open", { sessionId: show.id });
  const spots = await readSpots(deps, id);
  return player.sendForm(SHOW, { intent: "place", spot_id: String(spots.true.id), wager: "2" });
}

/** Opens the sign-in page with a sign-in that has expired. */
async function openExpired(): Promise<Page> {
  const user = await buildPlayer(deps);
  const reader = await readerFor(deps, server, user);
  await deps.pool.sql`UPDATE sign_ins SET expires_at = clock_timestamp() WHERE user_id = ${user.id}`;
  return reader.open("/users/sign_in?return_to=%2Fprofile");
}

/** Sends the form that closes an event which is closed already. */
async function closeTwice(): Promise<Page> {
  const { id } = await buildEvent(deps, "closed", { sessionId: show.id });
  return admin.sendForm(`${SHOW}/admin?event=${id}`, { intent: "close_event", event_id: String(id) });
}

/** A link, as "text path", or a sentence. */
type Next = { link: string } | { sentence: string };

/** Each error on its page: how to get it, its text, and what to do next. */
const errors: [error: string, get: () => Promise<Page>, text: string, next: Next][] = [
  [
    "a wrong password",
    () => signInAfter({ failedAttempts: 0 }, "wrong"),
    "Invalid credentials or password.",
    { link: "Forgot your password? /users/password" },
  ],
  [
    "the last attempt before the lock",
    () => signInAfter({ failedAttempts: 18 }, "wrong"),
    "You have one more attempt before your account is locked.",
    { link: "Forgot your password? /users/password" },
  ],
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
    "a transition that the state does not allow",
    closeTwice,
    "cannot transition when Closed",
    { sentence: "Close is for open actions. This one is closed." },
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
