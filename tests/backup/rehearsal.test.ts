import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { addressOf, formatAddress } from "#db/address.ts";
import { connect } from "#db/client.ts";
import { createDatabase, dropDatabase, listDatabases } from "#db/create-database.ts";
import { ENTRIES } from "#src/backup/manifest.ts";
import { runCommand } from "#tests/run/command.ts";
import { afterFile, afterTest, makeFileFolder } from "#tests/support/after-file.ts";
import { startS3Server } from "#tests/support/s3-server.ts";
import { testWorld } from "#tests/support/world.ts";
import { craftBackup } from "./crafted.ts";
import { readEverything } from "./restored.ts";

// A restore is rehearsed in a database that is made for it and removed, and touches nothing else.

const folder = makeFileFolder();
const { deps, db, build } = await testWorld();
const event = await build.event("open");
await build.call({ userId: (await build.player()).id, eventId: event.id });

const bucket = startS3Server();
afterFile(() => bucket.stop());
const url = deps.env.databaseUrl;
const { database } = addressOf(url);
const external = { DATABASE_URL: url, DATA_DIR: path.join(folder, "data"), BACKUP_TO: bucket.address };
const file = path.join(folder, "good");
for (const words of [[], [file]]) {
  const made = await runCommand(["backup", ...words], external);
  if (made.code !== 0) throw new Error(made.output);
}
const rehearse = (words: string[], settings: Record<string, string> = external) =>
  runCommand(["restore", "--rehearse", ...words], settings);
/** Databases of this test alone. */
const databases = () => listDatabases(url, database);

test("the newest backup of the bucket is restored and checked, and what is there stays as it is", async () => {
  const before = {
    rows: await readEverything(db),
    files: readdirSync(folder),
    objects: [...bucket.objects.keys()],
  };
  expect(await rehearse([])).toMatchObject({
    code: 0,
    output: expect.stringMatching(
      /The books and the scores agree\.\nIt can be restored\. That took \d+\.\d s/,
    ),
  });
  const after = {
    rows: await readEverything(db),
    files: readdirSync(folder),
    objects: [...bucket.objects.keys()],
  };
  expect(after).toEqual(before);
  expect(await databases()).toEqual([database]);
});

test("a rehearsal that fails says why, and leaves no database behind", async () => {
  const wrong = new TextEncoder().encode("no row of this table\n");
  const crafted = await craftBackup({ file, passphrase: null }, path.join(folder, "wrong"), (entry) =>
    entry.name.startsWith(`${ENTRIES.rows}users/`) ? { ...entry, bytes: wrong } : entry,
  );
  expect(await rehearse([crafted.file])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/invalid input/),
  });
  expect(await databases()).toEqual([database]);
});

test("where no database may be made it is refused with the cure, and one that is there is never taken", async () => {
  const role = `weak_${database.slice(-12)}`;
  await deps.pool.sql.unsafe(`CREATE ROLE ${role} LOGIN`);
  afterFile(() => deps.pool.sql.unsafe(`DROP ROLE ${role}`));
  const weak = formatAddress({ ...addressOf(url), username: role });
  expect(await rehearse([file], { ...external, DATABASE_URL: weak })).toMatchObject({
    code: 1,
    output: expect.stringMatching(new RegExp(`ALTER ROLE "${role}" CREATEDB[^]*Nothing was written`)),
  });
  expect(await databases()).toEqual([database]);
  await deps.pool.sql.unsafe(`CREATE DATABASE "${database}_rehearsal"`);
  afterTest(() => deps.pool.sql.unsafe(`DROP DATABASE "${database}_rehearsal"`));
  expect(await rehearse([file])).toMatchObject({ code: 1, output: expect.stringMatching(/DROP DATABASE/) });
  expect(await databases()).toEqual([database, `${database}_rehearsal`]);
});

test("a database that an ended rehearsal has left goes before the next one, and never one that is used", async () => {
  const left = await createDatabase(url, `${database}_rehearsal`);
  afterTest(() => dropDatabase(url, `${database}_rehearsal`));
  const user = connect(left, { poolSize: 1 });
  await user.sql`SELECT 1`;
  expect(await rehearse([file])).toMatchObject({ code: 1, output: expect.stringMatching(/DROP DATABASE/) });
  expect(await databases()).toEqual([database, `${database}_rehearsal`]);
  await user.close();
  expect(await rehearse([file])).toMatchObject({
    code: 0,
    output: expect.stringMatching(/Removed .*_rehearsal, which a rehearsal had left[^]*It can be restored\./),
  });
  expect(await databases()).toEqual([database]);
});

test("without a Postgres in the settings it starts one of its own, and removes it", async () => {
  const own = { DATA_DIR: path.join(folder, "embedded") };
  expect(await rehearse([file], own)).toMatchObject({
    code: 0,
    output: expect.stringContaining("It can be restored."),
  });
  expect(readdirSync(folder).filter((name) => name.startsWith("embedded"))).toEqual([]);
  expect(existsSync(own.DATA_DIR)).toBe(false);
}, 60_000);
