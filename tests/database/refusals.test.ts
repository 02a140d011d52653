import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { APPLICATION_ROLE, dataFolderOf, makeDataDir } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { migrate, readDatabaseState } from "#db/upgrade/migrate.ts";
import { DatabaseRefused } from "#db/upgrade/refusal.ts";
import { readRelease, type Release } from "#db/upgrade/release.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { createTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { readApplied, readCatalog } from "./catalog.ts";

const own = readRelease();
const newerSql: Release = {
  ...own,
  afterTables: own.afterTables.map((file) =>
    file.name === "views/exposure.sql" ? { ...file, text: `${file.text}-- newer\n` } : file,
  ),
};
const newerMigrations: Release = {
  ...own,
  migrations: [
    ...own.migrations,
    {
      name: "0001_later",
      hash: "of 0001_later",
      createdAt: (own.migrations.at(-1)?.createdAt ?? 0) + 1,
      statements: ["CREATE TABLE later (id int)"],
    },
  ],
};

const databases: TestDatabase[] = [];
afterTest(async () => {
  for (const database of databases.splice(0)) await database.drop();
});
async function openDatabase(options: { empty?: boolean } = {}): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  databases.push(database);
  return database;
}

/** The message with which the program refuses a database. Checks that nothing changes. */
async function refusalBy(work: () => Promise<unknown>, { pool }: TestDatabase): Promise<string> {
  const before = await readCatalog(pool);
  const refusal = await work().then(
    () => null,
    (error: unknown) => error,
  );
  expect(await readCatalog(pool)).toEqual(before);
  if (!(refusal instanceof DatabaseRefused)) throw refusal ?? new Error("this was expected to be refused");
  return refusal.message;
}

test("a database from before the baseline is refused", async () => {
  const database = await openDatabase({ empty: true });
  await database.pool.sql.unsafe(`CREATE TABLE users (id int); CREATE SCHEMA drizzle;
    CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);
    INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('of 0000_clock', 1795255000000)`);
  const message = await refusalBy(() => migrate(database.url), database);
  expect(message).toContain("do not come from the migration 0000_baseline");
  expect(message).toContain("Use an empty database, or run the release that made this one.");
});

test("a database with tables of another program is refused", async () => {
  const database = await openDatabase({ empty: true });
  await database.pool.sql.unsafe("CREATE TABLE orders (id int)");
  expect(await refusalBy(() => migrate(database.url), database)).toContain("another program did");
});

test("a migration that was changed after it ran is refused, with its name", async () => {
  const database = await openDatabase();
  const release = {
    ...own,
    migrations: own.migrations.map((migration) => ({ ...migration, hash: "other" })),
  };
  expect(await refusalBy(() => migrate(database.url, { release }), database)).toContain(
    "The migration 0000_baseline was changed after",
  );
});

test("a program that lacks a migration of its database is refused, also with --replace-newer-sql", async () => {
  const database = await openDatabase();
  await migrate(database.url, { release: newerMigrations });
  for (const replaceNewerSql of [false, true]) {
    const message = await refusalBy(() => migrate(database.url, { replaceNewerSql }), database);
    expect(message).toContain("it has run 1 migration that this release does not have");
    expect(message).toContain("Run that newer release");
  }
});

test("a program with older functions than its database is refused, unless it goes back deliberately", async () => {
  const database = await openDatabase();
  const before = await readCatalog(database.pool);
  await migrate(database.url, { release: newerSql });
  const message = await refusalBy(() => migrate(database.url), database);
  expect(message).toContain("are those of a newer release");
  expect(message).toContain("bun run migrate --replace-newer-sql");
  await migrate(database.url, { replaceNewerSql: true });
  expect(await readCatalog(database.pool)).toEqual(before);
  await migrate(database.url);
  await migrate(database.url, { release: newerSql });
  expect(await refusalBy(() => migrate(database.url), database)).toContain("are those of a newer release");
});

test("a program of a lower version is refused, also if its functions are new to the database", async () => {
  const database = await openDatabase({ empty: true });
  await migrate(database.url, { release: { ...newerSql, version: "9.0.0", compatibleSince: "9.0.0" } });
  expect(await refusalBy(() => migrate(database.url), database)).toContain("are those of a newer release");
  await migrate(database.url, { replaceNewerSql: true });
  await migrate(database.url);
});

test("a program may use a database of a later release that is compatible with it, and leaves it as it is", async () => {
  const database = await openDatabase();
  const later = { ...newerMigrations, afterTables: newerSql.afterTables, version: "9.0.0" };
  await migrate(database.url, { release: { ...later, compatibleSince: own.version } });
  const [catalog, applied] = [await readCatalog(database.pool), await readApplied(database.pool)];
  expect(await readDatabaseState(database.pool.db)).toMatchObject({ isAhead: true, refused: null });
  await migrate(database.url, { applicationRole: APPLICATION_ROLE });
  expect([await readCatalog(database.pool), await readApplied(database.pool)]).toEqual([catalog, applied]);
});

test("a database of a later release that is not compatible any more is refused", async () => {
  const database = await openDatabase();
  await migrate(database.url, {
    release: { ...newerMigrations, version: "9.0.0", compatibleSince: "8.0.0" },
  });
  expect(await refusalBy(() => migrate(database.url), database)).toContain("it has run 1 migration");
});

test("a database is pending while it lacks a migration or the newest SQL", async () => {
  const database = await openDatabase({ empty: true });
  const empty = await readDatabaseState(database.pool.db);
  expect(empty).toMatchObject({ sql: "pending", refused: null });
  expect(empty.pendingMigrations[0]).toMatchObject({ name: "0000_baseline" });
  await migrate(database.url, { release: newerSql });
  await database.pool.sql`UPDATE upgrade.sql_sets SET hash = 'of an older release'`;
  expect(await readDatabaseState(database.pool.db)).toEqual({
    pendingMigrations: [],
    sql: "pending",
    isAhead: false,
    isEmpty: false,
    refused: null,
  });
});

test("web, worker and migrate refuse a database of a newer release with one sentence, and change nothing", async () => {
  const [database, redis] = [await openDatabase(), await createTestRedis()];
  await migrate(database.url, { release: newerSql });
  const before = await readCatalog(database.pool);
  const { dataDir, remove } = makeDataFolder();
  const refusalOf = async (file: string) => {
    const child = Bun.spawn([process.execPath, file], {
      env: {
        ...ownVariables(),
        DATA_DIR: dataDir,
        DATABASE_URL: database.url,
        REDIS_URL: redis.url,
        DEMO: "off",
        PORT: "0",
      },
      stdout: "pipe",
      stderr: "pipe",
    });
    const [message, code] = await Promise.all([new Response(child.stderr).text(), child.exited]);
    return { file, code, message: message.trim() };
  };
  const sentence = /^The functions and triggers of the database ".+" are those of a newer release/;
  const files = ["src/main.ts", "jobs/main.ts", "src/run/migrate.ts"];
  expect(await Promise.all(files.map(refusalOf))).toEqual(
    files.map((file) => ({ file, code: 1, message: expect.stringMatching(sentence) })),
  );
  expect(await readCatalog(database.pool)).toEqual(before);
  await redis.stop();
  remove();
});

/** Every file of a folder with its size and the time of its last change. */
function listFolder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => {
      const { size, mtimeMs } = statSync(path.join(folder, name));
      return `${name} ${size} ${mtimeMs}`;
    })
    .toSorted();
}

test("a data folder from before the baseline or of a newer release is refused before anything in it changes", async () => {
  const { dataDir, remove } = makeDataFolder();
  const dataFolder = dataFolderOf(path.join(dataDir, "data"));
  makeDataDir(dataFolder.dataDir);
  const server = await startPostgres(dataFolder, { durable: false });
  await server.stop();
  const formatFile = path.join(dataFolder.dataDir, "postgres", "called-it-format");
  expect(readFileSync(formatFile, "utf8")).toBe("1\n");
  for (const [format, maker] of [
    ["2\n", "a newer release"],
    [null, "a release from before the baseline"],
  ] as const) {
    if (format === null) rmSync(formatFile);
    else writeFileSync(formatFile, format);
    const before = listFolder(dataFolder.dataDir);
    const product = startProduct(dataFolder.dataDir, {
      DEMO: "off",
      SECRET_KEY: "a secret that only this test has, and nobody else",
    });
    expect(await product.exited).toBe(1);
    await product.url.catch(() => undefined);
    expect(product.printed()).toContain(`postgres was made by ${maker}, and this release cannot use it.`);
    expect(product.printed()).toContain(`Move ${dataFolder.dataDir} away or remove it`);
    expect(listFolder(dataFolder.dataDir)).toEqual(before);
    const message = await startPostgres(dataFolder, { durable: false }).then(() => "started", String);
    expect(message).toContain("this release cannot use it");
  }
  remove();
});
