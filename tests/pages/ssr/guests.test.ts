import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { cookieNames } from "#src/http/contract.ts";
import type { ProfileAnswer } from "#src/profiles/schemas.ts";
import { testWorld } from "#tests/support/world.ts";
import { Reader } from "./browser.ts";
import { all, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";
import { buildViewers, viewerNames } from "./viewers.ts";

const { deps, db, build, server, timer, read } = await testWorld();

const guests = () => db.$count(users);

const FORM = "/users/guest_registration";
const SHOW = "/sessions/the-show";
const show = await build.runningSession({ slug: "the-show", name: "The Show" });
const opponent = await build.player();

type Guest = { reader: Reader; id: number };

/** A guest with this name, or without a chosen one. */
async function newGuest(name = ""): Promise<Guest> {
  const reader = new Reader(server);
  await reader.sendForm("/users/sign_in", { intent: "play", to: SHOW, "user[username]": name });
  const { user }: ProfileAnswer = await (await reader.get("/api/v1/users/me")).json();
  return { reader, id: user.id };
}

/** The guest calls a dollar against a dollar, and is right. */
async function win(userId: number): Promise<number> {
  const { id: eventId } = await build.event("open", { sessionId: show.id });
  await build.call({ userId, eventId, side: "true" });
  await build.call({ userId: opponent.id, eventId, side: "false" });
  await timer.settle(eventId);
  return eventId;
}

test("after a win, in the menu and before the wall a guest reads what an account keeps", async () => {
  const { reader, id } = await newGuest();
  const before = parsePage((await reader.open(SHOW)).html);
  expect(textsOf(before, ".keep")).toEqual([]);
  await win(id);
  const page = parsePage((await reader.open(SHOW)).html);
  const [link] = linksOf(page, ".keep");
  expect(link).toBe(`Keep your $101.00 and rank 1 ${FORM}?return_to=${SHOW}`);
  expect(linksOf(page, "#menu nav a")[0]).toBe(`Keep your $101.00Create account ${FORM}?return_to=${SHOW}`);
  expect((await reader.open("/profile/wallet")).location).toBe("/guest");
  const guestPage = parsePage((await reader.open("/guest")).html);
  expect(textsOf(guestPage, ".note")).toEqual(["Your $101.00 and your rank come with you."]);
  expect(textsOf(guestPage, "h1")).toEqual(["Welcome, guest user!"]);
});

test("nothing that a guest is shown leads to the wall, but what the site has for all who are signed in", async () => {
  const { reader, id } = await newGuest();
  const eventId = await win(id);
  const own = await read.row(calls, eq(calls.userId, id));
  const pages = [
    SHOW,
    `${SHOW}/events/${eventId}`,
    `${SHOW}/history/${own.id}`,
    "/shares",
    "/seasons/current",
  ];
  const paths = new Set<string>();
  for (const path of pages) {
    const opened = await reader.open(path);
    expect([path, opened.status]).toEqual([path, 200]);
    for (const link of all(parsePage(opened.html), "#root a[href^='/']"))
      if (!link.matches(".brand, .tabs a, #menu nav a")) paths.add(link.getAttribute("href") ?? "");
  }
  expect([...paths]).toContain(`${SHOW}/history/${own.id}`);
  for (const path of [...paths].filter((path) => path !== "/guest"))
    expect([path, (await reader.open(path)).location]).not.toEqual([path, "/guest"]);
});

test("a guest with a name becomes an account by the email alone, keeps both, and is where the game is", async () => {
  const { reader, id } = await newGuest("Zoe_9");
  await win(id);
  const path = `${FORM}?return_to=${SHOW}`;
  const form = parsePage((await reader.open(path)).html);
  expect(oneOf(form, 'input[name="user[username]"]').getAttribute("value")).toBe("Zoe_9");
  expect(oneOf(form, 'input[name="user[password]"]').hasAttribute("required")).toBe(false);
  const fields = { "user[username]": "Zoe_9", "user[email]": "zoe@example.test", "user[password]": "" };
  const answer = await reader.sendForm(path, { ...fields, "user[terms]": "1", "user[remember_me]": "1" });
  expect([answer.status, answer.location]).toEqual([302, SHOW]);
  const row = await read.row(users, id);
  expect(row).toMatchObject({ guest: false, username: "Zoe_9", email: "zoe@example.test" });
  expect(row.passwordHash).toStartWith("$argon2id$");
  // Nobody knows the password: neither the empty one nor the address opens the account.
  for (const password of ["", "zoe@example.test"]) {
    const signIn = { "user[email]": "zoe@example.test", "user[password]": password };
    expect((await new Reader(server).sendForm("/users/sign_in", signIn)).status).toBe(
      password === "" ? 422 : 401,
    );
  }
});

const { readers } = await buildViewers(deps, server);

let made = 0;
function newForm() {
  made += 1;
  return {
    "user[email]": `reader${made}@example.test`,
    "user[username]": `reader_${made}`,
    "user[password]": "nine lives and a day",
  };
}

test("the terms name every cookie that the product sets, and what each is for", async () => {
  const page = parsePage((await readers[viewerNames[0]].open("/terms")).html);
  expect(textsOf(page, "table code")).toEqual([...cookieNames]);
  expect(textsOf(page, "table td").filter((purpose) => purpose.endsWith("."))).toHaveLength(
    cookieNames.length,
  );
});

test("the form of a new account, without JavaScript, of a visitor asks to accept the terms, which it links to", async () => {
  const reader = new Reader(server);
  const page = parsePage((await reader.open(FORM)).html);
  const box = oneOf(page, 'input[name="user[terms]"]');
  expect([box.getAttribute("type"), box.hasAttribute("required"), box.hasAttribute("checked")]).toEqual([
    "checkbox",
    true,
    false,
  ]);
  expect(linksOf(page, "form a").some((link) => link.endsWith(" /terms"))).toBe(true);

  const form = newForm();
  const before = await guests();
  const refused = await reader.sendForm(FORM, form);
  expect(refused.status).toBe(422);
  const again = parsePage(refused.html);
  expect(textsOf(again, ".err")).toEqual(["Terms must be accepted"]);
  expect(oneOf(again, 'input[name="user[email]"]').getAttribute("value")).toBe(form["user[email]"]);
  expect(await guests()).toBe(before);

  const accepted = await reader.sendForm(FORM, { ...form, "user[terms]": "1" });
  expect([accepted.status, accepted.location]).toEqual([302, "/sessions"]);
});
