import { expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";
import { readEverything } from "#tests/backup/restored.ts";
import { runCommand } from "#tests/run/command.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { testWorld } from "#tests/support/world.ts";

const PASSPHRASE = "a passphrase of the tests";
const { deps, db, build } = await testWorld();

const folder = makeFileFolder();

const run = (command: "backup" | "restore", options: string[], variables: Record<string, string>) =>
  runCommand([command, ...options], variables);

const external = () => ({
  DATABASE_URL: deps.env.databaseUrl,
  SECRET_KEY: deps.env.secretKey,
  DATA_DIR: deps.env.dataDir,
});

const event = await build.event("open");
await build.call({ userId: (await build.player()).id, eventId: event.id });

const secret = { BACKUP_PASSPHRASE: PASSPHRASE };
const file = path.join(folder, "backup");
/** Client programs of a newer Postgres than the server, such as a machine may have. Their dumps do not come back into an older one. */
const programs = path.join(folder, "programs");
mkdirSync(programs);
for (const name of ["pg_dump", "pg_restore"]) {
  writeFileSync(path.join(programs, name), `#!/bin/sh\necho "${name} (PostgreSQL) 99.0"\n`);
  chmodSync(path.join(programs, name), 0o755);
}
const PATH = `${programs}:${ownVariables()["PATH"] ?? ""}`;
const made = await run("backup", [file, "--secrets"], { ...external(), ...secret, PATH });
/** Where the backup is restored. */
const dataDir = path.join(folder, "data");

test("a backup comes back whatever client programs the machine has; a restore that fails leaves no data folder behind, and the next one works", async () => {
  expect(made).toMatchObject({ code: 0, output: expect.stringMatching(/\d+ rows, .* MB, encrypted\n/) });
  const damaged = path.join(folder, "damaged");
  writeFileSync(damaged, readFileSync(file).subarray(0, 2_000));
  expect(await run("restore", [damaged], { DATA_DIR: dataDir, ...secret })).toMatchObject({
    code: 1,
    output: expect.stringMatching(/cut off or was changed.*Nothing was written/),
  });
  expect(readdirSync(folder).toSorted()).toEqual(["backup", "damaged", "programs"]);
  // What a killed restore leaves.
  mkdirSync(`${dataDir}.restoring/postgres`, { recursive: true });
  const restored = await run("restore", [file], { DATA_DIR: dataDir, ...secret });
  expect(restored).toMatchObject({
    code: 0,
    output: expect.stringContaining("The books and the scores agree."),
  });
  expect(existsSync(`${dataDir}.restoring`)).toBe(false);
  expect(readFileSync(path.join(dataDir, "secret-key"), "utf8")).toBe(deps.env.secretKey);
  const twice = await run("restore", [file], { DATA_DIR: dataDir, ...secret });
  expect(twice).toMatchObject({
    code: 1,
    output: expect.stringMatching(/is not empty.*Nothing was written/),
  });
});

test("an external database is restored into an empty one only, and with an empty Redis", async () => {
  const [target, redis] = await Promise.all([testDatabase({ empty: true }), createTestRedis()]);
  const own = {
    DATABASE_URL: target.url,
    REDIS_URL: redis.url,
    // With a secret key in the settings nothing has made this folder.
    DATA_DIR: path.join(folder, "external"),
    SECRET_KEY: deps.env.secretKey,
  };
  const variables = { ...own, ...secret, PATH };
  await redis.redis.set("stream:old", "a message of another state");
  expect(await run("restore", [file], variables)).toMatchObject({
    code: 1,
    output: expect.stringMatching(/Redis has 1 keys.*empty-redis.*Nothing was written/),
  });
  expect(await target.pool.sql`SELECT 1 FROM pg_class WHERE relname = 'users'`).toHaveLength(0);
  expect(existsSync(path.join(folder, "external", "secret-key"))).toBe(false);
  await redis.redis.flushdb();
  expect(await run("restore", [file], variables)).toMatchObject({ code: 0 });
  expect(await readEverything(target.pool.db)).toEqual(await readEverything(db));
  expect(readFileSync(path.join(folder, "external", "secret-key"), "utf8")).toBe(deps.env.secretKey);
  // A place that is in use is never told to empty its Redis.
  await redis.redis.set("stream:live", "a message of the live product");
  const again = { ...variables, DATA_DIR: path.join(folder, "another") };
  const twice = await run("restore", [file], again);
  expect(twice.output).not.toContain("empty-redis");
  expect(twice).toMatchObject({ code: 1, output: expect.stringContaining("already has tables") });
  expect(existsSync(path.join(folder, "another"))).toBe(false);
  await redis.stop();
});

test("a passphrase is never taken from the command line, and without a terminal none is asked for", async () => {
  const other = path.join(folder, "never");
  const usage = await run("backup", [other, `--passphrase=${PASSPHRASE}`], external());
  expect(usage).toMatchObject({ code: 1, output: expect.stringContaining("Usage: bun run backup FILE") });
  const asked = await run("backup", [other, "--encrypt"], external());
  expect(asked).toMatchObject({ code: 1, output: expect.stringContaining("Set BACKUP_PASSPHRASE") });
  expect(existsSync(other)).toBe(false);
});
