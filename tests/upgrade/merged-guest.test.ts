import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { merging } from "#tests/profiles/merging.ts";
import { testWorld } from "#tests/support/world.ts";
import { readLastContract } from "./contract.ts";

const { deps, build, server, client, db } = await testWorld();
const { host, comeIn, buildAccount, playEvent, merge, balanceOf, expectRight } = await merging(deps, server);

/** What a merge reads or changes. */
const TABLES = ["users", "registrations", "results", "scores", "shares", "reminders", "accounts", "calls"];
const newColumns = v.array(v.object({ table: v.string(), column: v.string() }));

/** A trigger writes them for the last release too. */
const TRIGGERED = ["username_look"];

/** Gives the other columns that the last release does not know what its rows have in them. Right after a release there are none. */
async function writeAsLastRelease(): Promise<void> {
  const { columns } = readLastContract();
  const found = await db.execute(sql`
    SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
    WHERE table_schema = 'public' AND is_generated = 'NEVER' AND is_identity = 'NO'`);
  const added = v
    .parse(newColumns, [...found])
    .filter(
      ({ table, column }) =>
        TABLES.includes(table) && columns[`${table} ${column}`] === undefined && !TRIGGERED.includes(column),
    );
  await db.transaction(async (tx) => {
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    for (const { table, column } of added)
      await tx.execute(sql`UPDATE ${sql.identifier(table)} SET ${sql.identifier(column)} = DEFAULT`);
  });
}

test("a guest and an account of the last release are merged as those of today, by themselves and by an admin", async () => {
  const [ana, eve, ben] = [await buildAccount(), await buildAccount(), await build.player()];
  const [own, asked] = [await comeIn("Old_Guest"), await comeIn()];
  for (const id of [own.id, asked.id]) await playEvent(id, ben.id);
  await playEvent(ana.id, ben.id);
  await writeAsLastRelease();

  expect((await merge(own.person, ana.email)).status).toBe(200);
  const asHost = await client(host);
  const byAdmin = { user: { account: eve.username, reason: "Asked at the desk" } };
  expect((await asHost.send("PUT", `/api/v1/users/${asked.id}/merge`, byAdmin)).status).toBe(200);
  expect([await balanceOf(ana.id), await balanceOf(eve.id)]).toEqual([12_000, 11_000]);
  await expectRight();
});
