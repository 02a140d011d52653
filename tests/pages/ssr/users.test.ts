import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { users } from "#db/schema/users.ts";
import { findWalletView } from "#src/money/wallet/find-wallet-view.ts";
import { createServer } from "#src/server.ts";
import { readWallet } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildPlayer,
  buildCall,
  buildEvent,
  buildRunningSession,
  only,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { type Reader, readerFor } from "./browser.ts";
import { all, oneOf, parsePage, textsOf, factsOf, linksOf } from "./parse-page.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);
const adminUser = await buildAdmin(deps);
const admin = await readerFor(deps, server, adminUser);
const player = await buildPlayer(deps);
let reader: Reader = await readerFor(deps, server, player);
const path = `/users/${player.id}`;

test("a search that finds nobody says so", async () => {
  expect((await admin.open("/users?search=nobody-here")).html).toContain("Nobody found");
});

describe("adjusting a wallet without JavaScript", () => {
  const form = { intent: "adjust", key: "form-1", amount: "7.5", reason: "Won the raffle" };

  test("moves the money once, however often the form is sent", async () => {
    for (let sent = 0; sent < 2; sent++) {
      expect(await admin.sendForm(path, form)).toMatchObject({ status: 303, location: path });
    }
    expect(await findWalletView(deps.pool.db, player.id)).toMatchObject({ balanceCents: 10_750 });
    expect((await admin.open(path)).html).toContain("Adjustment: Won the raffle");
  });
});

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

test("an unknown form is refused", async () => {
  expect((await admin.sendForm(path, { intent: "promote" })).status).toBe(400);
});

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

// More than two pages of 25.
const PLAYERS = 60;
const ana = await buildPlayer(deps, { balanceCents: 12_340 });
await deps.pool.db.insert(users).values(
  Array.from({ length: PLAYERS }, (_, index) => ({
    username: `many_${index}`,
    email: `many_${index}@example.test`,
  })),
);

const open = async (path: string) => parsePage((await admin.open(path)).html);

describe("the list of users", () => {
  test("is a table with the columns Id, Email and Actions, and says the last visit below the email", async () => {
    const page = await open(`/users?search=${ana.username}`);
    expect(textsOf(page, "table thead th")).toEqual(["Id", "Email", "Actions"]);
    const cells = all(page, "table tbody tr").map((row) => textsOf(row, "td"));
    expect(cells.map(([id]) => id)).toEqual([String(ana.id)]);
    expect(cells[0]?.[1]).toContain(String(ana.email));
    expect(cells[0]?.[1]).toContain("Last visit: ");
  });

  test("has a View link to the page of each user", async () => {
    const rows = all(await open("/users"), "table tbody tr");
    expect(rows).toHaveLength(25);
    for (const row of rows) {
      const [id = ""] = textsOf(row, "td");
      const [link, ...others] = all(row, "a");
      // The rest of the link, the email, is for screen readers.
      expect([link?.firstChild?.textContent, link?.getAttribute("href"), others]).toEqual([
        "View",
        `/users/${id}`,
        [],
      ]);
    }
  });

  test("has pages with the links First, Prev, Next and Last", async () => {
    const links = async (path: string) => linksOf(await open(path), 'nav[aria-label="Pages"] a');
    expect(await links("/users?page=2&search=example")).toEqual([
      "First /users?page=1&search=example",
      "Prev /users?page=1&search=example",
      "Next /users?page=3&search=example",
      "Last /users?page=3&search=example",
    ]);
  });

  test("disables the links that lead nowhere, and keeps their labels", async () => {
    const disabled = async (path: string) => textsOf(await open(path), '[role="link"][aria-disabled="true"]');
    expect(await disabled("/users")).toEqual(["First", "Prev"]);
    expect(await disabled("/users?page=3")).toEqual(["Next", "Last"]);
  });
});

describe("the page of a user", () => {
  test("has the email, username, phone, date of creation and wallet", async () => {
    await deps.pool.db
      .update(users)
      .set({ phone: "+4915123456", createdAt: new Date("2026-03-04T12:00:00Z") })
      .where(eq(users.id, ana.id));
    const { id: eventId } = await buildEvent(deps, "open");
    await buildCall(deps, { userId: ana.id, eventId, wagerCents: 500 });
    const page = await open(`/users/${ana.id}`);
    expect(factsOf(page, 'section[aria-label="User"]')).toMatchObject({
      Email: String(ana.email),
      Username: ana.username,
      Phone: "+4915123456",
      Created: "2026-03-04",
    });
    expect(factsOf(page, "dl.balance-parts")).toEqual({
      Balance: "$123.40",
      Available: "$118.40",
      "Held in calls": "$5.00",
      Owed: "$0.00",
    });
  });
});
