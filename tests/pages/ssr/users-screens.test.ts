import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { all, factsOf, linksOf, oneOf, parsePage, textsOf } from "./parse-page.ts";

// More than two pages of 25.
const PLAYERS = 60;
const PICTURE = "/api/v1/storage/blobs/signed/picture.webp";

const deps = await testDeps();
const server = createServer(deps);
const admin = await readerFor(deps, server, await buildAdmin(deps));
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

  test("has the avatar: the picture, or the first letters of the name", async () => {
    const ben = await buildPlayer(deps);
    const avatarOf = async () => oneOf(await open(`/users/${ben.id}`), 'section[aria-label="User"] .avatar');
    expect((await avatarOf()).textContent).toBe("PL");
    const sizes = ["thumb", "small", "medium", "large", "original"];
    const avatar = {
      revision: 1,
      signer: "one",
      blobIds: Object.fromEntries(sizes.map((size) => [size, 1])),
      pictures: Object.fromEntries(sizes.map((size) => [size, PICTURE])),
    };
    await deps.pool.db.update(users).set({ avatar }).where(eq(users.id, ben.id));
    expect((await avatarOf()).getAttribute("src")).toBe(PICTURE);
  });

  test("has a link Back to Users", async () => {
    expect(linksOf(await open(`/users/${ana.id}`), "main > header a")).toEqual(["Back to Users /users"]);
  });
});
