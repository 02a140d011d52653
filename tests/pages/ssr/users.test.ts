import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { findProfile } from "#src/profiles/find-profile.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Page, type Reader, readerFor } from "./browser.ts";
import { all, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";

const { deps, build, server, read, db } = await testWorld();
const adminUser = await build.admin();
const admin = await readerFor(deps, server, adminUser);
const player = await build.player();
let reader: Reader = await readerFor(deps, server, player);
const path = `/users/${player.id}`;

test("an admin deactivates and reactivates an account, and changes its roles, without JavaScript", async () => {
  const done = { status: 303, location: path };
  expect(await admin.sendForm(path, { intent: "deactivate", reason: "Two accounts" })).toMatchObject(done);
  expect((await reader.open("/profile")).location).toStartWith("/users/sign_in");
  expect((await admin.open(path)).html).toContain("Deactivated: nobody can sign in.");
  expect(await admin.sendForm(path, { intent: "reactivate" })).toMatchObject(done);
  expect(await admin.sendForm(path, { intent: "roles", roles: "operator" })).toMatchObject(done);
  expect((await admin.open(path)).html).toMatch(/value="operator" checked|checked="" value="operator"/);
  expect(await admin.sendForm(path, { intent: "roles" })).toMatchObject(done);
  reader = await readerFor(deps, server, player);
  expect((await reader.open("/profile")).status).toBe(200);
});

const session = await build.runningSession({ slug: "derby", name: "Derby" });

const readUser = () => read.row(users, player.id);
const sentVersion = (html: string) =>
  oneOf(parsePage(html), 'form:has(input[name="username"]) input[name="version"]').getAttribute("value") ??
  "";

test("the details of another user, without JavaScript, are changed by an admin's form", async () => {
  const version = sentVersion((await admin.open(path)).html);
  const form = { intent: "details", version, username: "polite_name", phone: "+49 30 1234567" };
  expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });
  expect(await readUser()).toMatchObject({ username: "polite_name", phone: "+49301234567" });
  expect(textsOf(parsePage((await admin.open(path)).html), "main > header h1")).toEqual(["polite_name"]);
});

test("a player's call, without JavaScript, is taken back by an admin from the player's page, with a reason", async () => {
  const event = await build.event("open", { sessionId: session.id, title: "A goal?" });
  const callId = await build.call({ userId: player.id, eventId: event.id, wagerCents: 300 });
  const page = parsePage((await admin.open(path)).html);
  const dialog = oneOf(page, `dialog:has(input[name="call_id"][value="${callId}"])`);
  expect(textsOf(dialog, "h2")).toEqual(["Take back this call of $3.00?"]);

  const form = { intent: "destroy_call", call_id: String(callId), reason: "A bot" };
  expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });

  const [call] = await db.select().from(calls).where(eq(calls.id, callId));
  expect(call).toMatchObject({ state: "soft_destroyed", refundedBy: "admin" });
  expect(await read.wallet(player.id)).toMatchObject({ heldCents: 0 });
  const after = parsePage((await admin.open(path)).html);
  expect(all(after, 'dialog:has(input[name="call_id"])')).toEqual([]);
  expect(after.body.textContent).toContain("The host took it back");
});

// More than two pages of 25.
const PLAYERS = 60;
await db.insert(users).values(
  Array.from({ length: PLAYERS }, (_, index) => ({
    username: `many_${index}`,
    email: `many_${index}@example.test`,
  })),
);

const open = async (path: string) => parsePage((await admin.open(path)).html);

test("the list of users has pages with the links First, Prev, Next and Last, disabled where they lead nowhere", async () => {
  const links = async (path: string) => linksOf(await open(path), 'nav[aria-label="Pages"] a');
  expect(await links("/users?page=2&search=example")).toEqual([
    "First /users?page=1&search=example",
    "Prev /users?page=1&search=example",
    "Next /users?page=3&search=example",
    "Last /users?page=3&search=example",
  ]);
  const disabled = async (path: string) => textsOf(await open(path), '[role="link"][aria-disabled="true"]');
  expect(await disabled("/users")).toEqual(["First", "Prev"]);
  expect(await disabled("/users?page=3")).toEqual(["Next", "Last"]);
});

const early = await readerFor(deps, server, await build.admin());
const late = await readerFor(deps, server, await build.admin());

const words = ({ html }: Page) => html.replaceAll("<!-- -->", "").replaceAll("&#x27;", "'");
const versionIn = (page: Page) =>
  /name="version" value="(\d+)"/.exec(page.html)?.[1] ??
  /value="(\d+)" name="version"/.exec(page.html)?.[1] ??
  "";

/** Both admins open the page and the first one saves. The second one is refused, sees the change, and may overwrite it. */
async function bothSave(path: string, fields: (name: string) => Record<string, string>): Promise<Page> {
  const version = versionIn(await late.open(path));
  expect(version).toMatch(/^\d+$/);
  expect((await early.sendForm(path, { ...fields("Early"), version })).status).toBe(303);
  return late.sendForm(path, { ...fields("Late"), version });
}

test("of two admins who edit a session the second sees the first one's change, and may overwrite it", async () => {
  const { slug, id } = await build.session({ name: "Before" });
  const path = `/sessions/${slug}/edit`;
  const fields = (name: string) => ({ intent: "save", name, time_zone: "UTC", lead_seconds: "10" });
  const refused = await bothSave(path, fields);
  expect(refused.status).toBe(409);
  expect(words(refused)).toContain("Somebody changed this meanwhile.");
  expect(words(refused)).toContain("is now “Early”");
  expect(refused.html).toContain('value="Late"');
  expect((await read.session(id)).name).toBe("Early");

  expect((await late.sendForm(path, { ...fields("Late"), version: versionIn(refused) })).status).toBe(303);
  expect((await read.session(id)).name).toBe("Late");
});

test("an action on a user whom another admin changed is refused, and the page shows the change", async () => {
  const { id } = await build.player();
  const path = `/users/${id}`;
  const version = versionIn(await late.open(path));
  await early.sendForm(path, { intent: "roles", roles: "operator", version });
  const refused = await late.sendForm(path, { intent: "deactivate", version });
  expect(refused.status).toBe(409);
  expect(words(refused)).toContain("Somebody changed this user meanwhile. This is how it is now.");
  const user = await findProfile(db, { userId: id, viewer: { id } }, new Date());
  expect(user).toMatchObject({ roles: ["operator"], deactivatedAt: null });
  expect(refused.html).toMatch(/value="operator" checked|checked="" value="operator"/);
  const again = { intent: "deactivate", version: versionIn(refused) };
  expect((await late.sendForm(path, again)).status).toBe(303);
});

const EVENTS = 103;
const playerPages = await readerFor(deps, server, await build.player());
const host = await build.admin();
const hostPages = await readerFor(deps, server, host);
const longNight = await build.runningSession({ slug: "long-night", name: "Long Night" });

test("a session with more than a hundred events is complete", async () => {
  const long = await build.session({ slug: "very-long" });
  for (let position = 1; position <= EVENTS; position += 1) {
    await build.draft({ sessionId: long.id, position, title: `Question ${position}?` });
  }
  const { html } = await hostPages.open("/sessions/very-long/admin");
  expect(html).toContain("Question 1?");
  expect(html).toContain(`Question ${EVENTS}?`);
});

test("without JavaScript an admin closes and resolves an event, and reads why an action is refused", async () => {
  const event = await build.event("open", { sessionId: longNight.id, title: "Who wins?" });
  const page = `/sessions/long-night/admin?event=${event.id}`;
  const closed = await hostPages.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect([closed.status, closed.location]).toEqual([303, page]);
  const again = await hostPages.sendForm(page, { intent: "close_event", event_id: String(event.id) });
  expect(again.status).toBe(422);
  expect(again.html).toContain("cannot transition when Closed");
  expect((await hostPages.open(page)).html).toContain("Close is for open actions. This one is closed.");
  await hostPages.sendForm(page, { intent: "resolve", event_id: String(event.id), result: "true" });
  expect(await read.event(event.id)).toMatchObject({ state: "resolved", result: "true" });
});

test("without JavaScript an admin creates a session, sees its errors, edits and deletes it", async () => {
  const fields = {
    name: "Quiz",
    slug: "long-night",
    starts_at: "2030-01-02T20:00",
    time_zone: "Europe/Berlin",
  };
  const taken = await hostPages.sendForm("/sessions/new", fields);
  expect(taken.status).toBe(422);
  expect(taken.html).toContain("has already been taken");
  expect(taken.html).toContain('value="2030-01-02T20:00"');
  const made = await hostPages.sendForm("/sessions/new", { ...fields, slug: "quiz" });
  expect([made.status, made.location]).toEqual([303, "/sessions/quiz/admin"]);
  const saved = await hostPages.sendForm("/sessions/quiz/edit", {
    ...fields,
    intent: "save",
    name: "Quiz, the second",
    starts_at: "",
  });
  expect(saved.location).toBe("/sessions/quiz/admin");
  const edited: unknown = await (await hostPages.get("/api/v1/sessions/quiz")).json();
  expect(edited).toMatchObject({ session: { startsAt: null } });
  const { html } = await hostPages.open("/sessions");
  expect(html).toContain("Quiz, the second");
  expect(html).toContain('href="/sessions/new"');
  expect((await playerPages.open("/sessions")).html).not.toContain("/sessions/new");
  expect((await hostPages.sendForm("/sessions/quiz/edit", { intent: "delete" })).location).toBe("/sessions");
  expect((await hostPages.open("/sessions/quiz/edit")).status).toBe(404);
});
