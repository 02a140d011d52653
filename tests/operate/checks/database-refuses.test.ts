import { expect, test } from "bun:test";
import { connect, inTransaction } from "#db/client.ts";
import { dataFolderOf, makeDataDir } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { troubles } from "#db/schema/troubles.ts";
import type { Part } from "#src/operate/checks/contract.ts";
import { showOperations } from "#src/operate/operations/show-operations.ts";
import { asApplication } from "#tests/support/application.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { runCheck } from "./run-check.ts";

const owner = await testDeps();
const deps = asApplication(owner);

/** On a busy machine a look may know nothing. */
const lookFor = (part: Part, of = deps) =>
  waitFor(`a look at ${part}`, async () => {
    const seen = await runCheck(of, part);
    return seen.state !== "unknown" && seen;
  });
const refusedAtHome = async (of = deps) =>
  (await showOperations(of, new Date())).troubles?.find(({ part }) => part === "writes");

/** From now on new connections to this database are read-only, or not. @returns one to it. */
async function connectWith(isReadOnly: boolean) {
  const name = new URL(deps.env.databaseUrl).pathname.slice(1);
  await owner.pool.sql.unsafe(`ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`);
  return asApplication(owner);
}

test("a database that takes no writes is named, at the operators' home too, where nothing can be noted", async () => {
  expect(await refusedAtHome()).toBeUndefined();
  const readOnly = await connectWith(true);
  expect(await lookFor("writes", readOnly)).toMatchObject({
    state: "refused",
    said: expect.stringContaining("read-only"),
  });
  expect(await refusedAtHome(readOnly)).toMatchObject({
    what: "writes refused",
    cure: expect.stringContaining("make room"),
  });
  expect(await owner.pool.db.$count(troubles)).toBe(0);
  expect(await lookFor("writes", await connectWith(false))).toMatchObject({ state: "ok" });
});

test("a full disk is named from the first statement that it has refused, for as long as it takes no write, and not longer", async () => {
  const full = (of: string) =>
    `RAISE EXCEPTION 'could not extend file "${of}": No space left on device' USING ERRCODE = '53100'`;
  expect(await lookFor("writes")).toMatchObject({ state: "ok" });
  await owner.pool.sql
    .unsafe(`CREATE FUNCTION fill() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${full("troubles")}; END $$;
    CREATE TRIGGER fill BEFORE INSERT ON troubles FOR EACH ROW EXECUTE FUNCTION fill()`);
  expect(
    await deps.pool.sql.unsafe(`DO $$ BEGIN ${full("calls")}; END $$`).then(() => null, String),
  ).toContain("No space left");
  const { state, said } = await lookFor("writes");
  expect([state, said]).toEqual(["refused", expect.stringContaining("The disk is full. Make room.")]);
  // Nobody else writes anything, and it is asked again.
  await untilPasses(async () => expect((await lookFor("writes")).said).toContain('"troubles"'));
  await owner.pool.sql`DROP TRIGGER fill ON troubles`;
  await untilPasses(async () => expect(await lookFor("writes")).toMatchObject({ state: "ok" }));
  expect(await owner.pool.db.$count(troubles)).toBe(0);
});

test("a database that answers late, or a process without a free connection, is slow and not away", async () => {
  const pool = connect(deps.env.databaseUrl, { poolSize: 2 });
  const [running, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const all = [1, 2].map(() =>
    inTransaction(pool.db, async () => {
      running.resolve();
      await done.promise;
    }),
  );
  await running.promise;
  expect(await runCheck({ ...deps, pool }, "database")).toMatchObject({
    what: "database slow",
    severity: "degraded",
    said: expect.stringMatching(
      /^All 2 connections of this process are in use, and \d+ statements wait for one\.$/,
    ),
    cure: expect.stringContaining("pg_stat_activity"),
  });
  done.resolve();
  await Promise.all(all);
  expect(await runCheck({ ...deps, pool }, "database")).toMatchObject({ state: "ok" });
  await pool.close();
});

test("a log that Postgres cannot archive is named until it can, and nothing where none is archived", async () => {
  const { dataDir, remove } = makeDataFolder();
  const dataFolder = dataFolderOf(dataDir);
  makeDataDir(dataDir);
  const first = await startPostgres(dataFolder, { durable: false });
  const [admin, pool] = [connect(dataFolder.ownerUrl), connect(dataFolder.databaseUrl)];
  expect(await runCheck({ ...deps, pool }, "archive")).toMatchObject({ state: "unknown" });
  for (const setting of ["archive_mode = on", "archive_command = 'false'"])
    await admin.sql.unsafe(`ALTER SYSTEM SET ${setting}`);
  await first.stop();
  const second = await startPostgres(dataFolder, { durable: false });
  const archives = async (expected: object) => {
    await admin.sql`SELECT pg_switch_wal() FROM pg_logical_emit_message(false, 'archived', 'now')`;
    await untilPasses(async () =>
      expect(await runCheck({ ...deps, pool }, "archive")).toMatchObject(expected),
    );
  };
  await archives({ state: "failing", said: expect.stringMatching(/^It waits from [0-9A-F]{24} on\.$/) });
  await admin.sql.unsafe("ALTER SYSTEM SET archive_command = 'true'");
  await admin.sql`SELECT pg_reload_conf()`;
  await archives({ state: "ok" });
  await Promise.all([admin.close(), pool.close()]);
  await second.stop();
  remove();
});
