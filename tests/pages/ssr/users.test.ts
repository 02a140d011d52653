import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { only } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Reader, readerFor } from "./browser.ts";
import { all, oneOf, parsePage, textsOf, linksOf } from "./parse-page.ts";

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

const readUser = async () => only(await db.select().from(users).where(eq(users.id, player.id)));
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
