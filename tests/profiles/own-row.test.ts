import { expect, test } from "bun:test";
import { eq, getTableColumns, is } from "drizzle-orm";
import { PgText } from "drizzle-orm/pg-core";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { buildPlayer, only } from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { givePassword, PASSWORD } from "../people/users/person.ts";

const deps = await testDeps();
const { db } = deps.pool;
const server = createServer(deps);

/** The columns of the user's row that hold a text about the person, also those that are added later. */
const personal = Object.entries(getTableColumns(users))
  .filter(([name, column]) => is(column, PgText) && name !== "passwordHash")
  .map(([name]) => name);

/** A signed-in player of whom each of these columns holds a text of its own, by column. */
async function buildKnown() {
  const player = await buildPlayer(deps);
  const texts = Object.fromEntries(personal.map((name) => [name, `own-${name.toLowerCase()}-${player.id}`]));
  await db.update(users).set(texts).where(eq(users.id, player.id));
  await givePassword(deps, player.id);
  return { id: player.id, texts, browser: await signedInClient(deps, server, player) };
}

test("the export has every text of the user's row", async () => {
  const { texts, browser } = await buildKnown();
  const exported = JSON.stringify((await browser.get("/api/v1/users/me/export.json")).body);
  const missing = personal.filter((name) => !exported.includes(String(texts[name])));
  const howTo = "Add the column to src/profiles/find-exported-profile.ts.";
  expect({ missing, howTo }).toEqual({ missing: [], howTo });
});

test("the deletion of the account leaves no text of the user's row", async () => {
  const { id, texts, browser } = await buildKnown();
  const answer = await browser.send("PUT", "/api/v1/users/me/delete", {
    user: { current_password: PASSWORD },
  });
  expect(answer.status).toBe(204);
  const row = JSON.stringify(only(await db.select().from(users).where(eq(users.id, id))));
  const kept = personal.filter((name) => row.includes(String(texts[name])));
  const howTo = "Clear the column in src/profiles/delete-account.ts.";
  expect({ kept, howTo }).toEqual({ kept: [], howTo });
});
