import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { readWallet } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  only,
} from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, oneOf, parsePage, textsOf } from "./parse-page.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);
const adminUser = await buildAdmin(deps);
const admin = await readerFor(deps, server, adminUser);
const player = await buildPlayer(deps);
const path = `/users/${player.id}`;
const session = await buildRunningSession(deps, { slug: "derby", name: "Derby" });

const readUser = async () => only(await db.select().from(users).where(eq(users.id, player.id)));
const sentVersion = (html: string) =>
  oneOf(parsePage(html), 'form:has(input[name="username"]) input[name="version"]').getAttribute("value") ??
  "";

describe("the details of another user, without JavaScript,", () => {
  test("are changed by an admin's form", async () => {
    const version = sentVersion((await admin.open(path)).html);
    const form = { intent: "details", version, username: "polite_name", phone: "+49 30 1234567" };
    expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });
    expect(await readUser()).toMatchObject({ username: "polite_name", phone: "+49301234567" });
    expect(textsOf(parsePage((await admin.open(path)).html), "main > header h1")).toEqual(["polite_name"]);
  });

  test("are refused with the error at its field and what was typed, and nothing changes", async () => {
    const version = sentVersion((await admin.open(path)).html);
    const before = await readUser();
    const page = await admin.sendForm(path, { intent: "details", version, username: "x", phone: "12" });
    expect(page.status).toBe(422);
    const shown = parsePage(page.html);
    expect(oneOf(shown, "#username").getAttribute("value")).toBe("x");
    expect(oneOf(shown, "#username-error").textContent).toContain("is too short (minimum is 3 characters)");
    expect(oneOf(shown, "#phone").getAttribute("value")).toBe("12");
    expect(oneOf(shown, "#phone-error").textContent).toContain("is invalid");
    expect(await readUser()).toEqual(before);
  });

  test("are not overwritten after another admin has changed them", async () => {
    const version = sentVersion((await admin.open(path)).html);
    await admin.sendForm(path, { intent: "details", version, username: "first_name", phone: "" });
    const page = await admin.sendForm(path, {
      intent: "details",
      version,
      username: "second_name",
      phone: "",
    });
    expect(page.status).toBe(409);
    expect(page.html).toContain("Somebody changed this user meanwhile.");
    expect(await readUser()).toMatchObject({ username: "first_name" });
  });
});

describe("a player's call, without JavaScript,", () => {
  test("is taken back by an admin from the player's page, with a reason", async () => {
    const event = await buildEvent(deps, "open", { sessionId: session.id, title: "A goal?" });
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 300 });
    const page = parsePage((await admin.open(path)).html);
    const dialog = oneOf(page, `dialog:has(input[name="call_id"][value="${callId}"])`);
    expect(textsOf(dialog, "h2")).toEqual(["Take back this call of $3.00?"]);

    const form = { intent: "destroy_call", call_id: String(callId), reason: "A bot" };
    expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });

    const [call] = await db.select().from(calls).where(eq(calls.id, callId));
    expect(call).toMatchObject({ state: "soft_destroyed", refundedBy: "admin" });
    expect(await readWallet(db, player.id)).toMatchObject({ heldCents: 0 });
    const after = parsePage((await admin.open(path)).html);
    expect(all(after, 'dialog:has(input[name="call_id"])')).toEqual([]);
    expect(after.body.textContent).toContain("The host took it back");
  });

  test("that cannot be taken back is refused with the reason, and nothing changes", async () => {
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
    await buildCall(deps, { userId: adminUser.id, eventId: event.id, side: "false" });
    await admin.open(path);
    const before = await digestTables(db);
    const page = await admin.sendForm(path, { intent: "destroy_call", call_id: String(callId), reason: "" });
    expect(page.status).toBe(403);
    expect(page.html).toContain("Somebody else must take this call back.");
    expect(await digestTables(db)).toBe(before);
  });
});

test("an admin's own page offers no call to take back there", async () => {
  const page = parsePage((await admin.open(`/users/${adminUser.id}`)).html);
  expect(all(page, 'dialog:has(input[name="call_id"])')).toEqual([]);
});

test.each(["/users/me", "/users/0", "/users/999999999", "/leaderboard/me", "/leaderboard/999999999"])(
  "%s is no page: 404",
  async (wrong) => {
    expect((await admin.open(wrong)).status).toBe(404);
  },
);

test("a form sent to /users/me reaches nobody", async () => {
  const before = await readUser();
  const sent = await admin.sendForm("/users/me", { intent: "deactivate", reason: "x" }, { from: path });
  expect(sent.status).toBe(404);
  expect(await readUser()).toEqual(before);
});
