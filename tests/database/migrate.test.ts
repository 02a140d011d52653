import { beforeEach, expect, test } from "bun:test";
import * as v from "valibot";
import { migrate } from "#db/upgrade/migrate.ts";
import { readRelease, type Release, type SqlFile } from "#db/upgrade/release.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { createTestDatabase, testDatabase, type TestDatabase } from "#tests/support/database.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { readApplied, readCatalog } from "./catalog.ts";

const own = readRelease();
const template = await testDatabase();
let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterTest(() => database.drop());

const functionFile = (type: string, args = ""): SqlFile => ({
  name: "functions/answer.sql",
  text: `CREATE FUNCTION answer(${args}) RETURNS ${type}`,
});
const releaseWith = (...files: SqlFile[]): Release => ({
  ...own,
  afterTables: [...own.afterTables, ...files],
});
const replacing = (name: string, change: (text: string) => string): Release => ({
  ...own,
  afterTables: own.afterTables.map((file) => (file.name === name ? { name, text: change(file.text) } : file)),
});

async function queryOne(statement: string): Promise<unknown> {
  const [row] = await database.pool.sql.unsafe(statement);
  return row;
}

test("an empty database becomes equal to the template by concurrent starts, and applying again changes nothing", async () => {
  const empty = await createTestDatabase({ empty: true });
  await Promise.all([migrate(empty.url), migrate(empty.url), migrate(empty.url)]);
  const [catalog, applied] = [await readCatalog(empty.pool), await readApplied(empty.pool)];
  expect(catalog).toEqual(await readCatalog(template.pool));
  const sets = await empty.pool.sql`SELECT number FROM upgrade.sql_sets`;
  expect([...sets]).toEqual([{ number: 1 }]);
  await migrate(empty.url);
  expect(await readCatalog(empty.pool)).toEqual(catalog);
  expect(await readApplied(empty.pool)).toEqual(applied);
  await empty.drop();
});

test("a changed file is applied, and everything else stays", async () => {
  const before = await readCatalog(database.pool);
  await migrate(database.url, {
    release: replacing("functions/settle-part-max.sql", (text) => text.replace("SELECT 500", "SELECT 250")),
  });
  expect(await queryOne("SELECT settle_part_max() AS n")).toEqual({ n: 250 });
  const after = await readCatalog(database.pool);
  expect([...after.keys()]).toEqual([...before.keys()]);
  expect(
    [...after].filter(([name, definition]) => before.get(name) !== definition).map(([name]) => name),
  ).toEqual(["function settle_part_max()"]);
});

test("a removed function is dropped, and objects that db/sql did not create stay", async () => {
  await migrate(database.url, {
    release: releaseWith({
      ...functionFile("int"),
      text: `${functionFile("int").text} LANGUAGE sql AS 'SELECT 1'`,
    }),
  });
  await database.pool.sql.unsafe("CREATE FUNCTION made_by_hand() RETURNS int LANGUAGE sql AS 'SELECT 2'");
  await migrate(database.url, { release: replacing("views/exposure.sql", (text) => `${text}-- newer\n`) });
  expect(await queryOne("SELECT to_regproc('answer') IS NULL AS gone, made_by_hand() AS kept")).toEqual({
    gone: true,
    kept: 2,
  });
});

test("the arguments and the result type of a function can change, even if a view uses it", async () => {
  const view = (name: string) => ({
    name: "views/answers.sql",
    text: `CREATE VIEW answers AS SELECT ${name} AS value`,
  });
  const text = (file: SqlFile, body: string) => ({ ...file, text: `${file.text} LANGUAGE sql AS '${body}'` });
  await migrate(database.url, {
    release: releaseWith(text(functionFile("int"), "SELECT 1"), view("answer()")),
  });
  expect(await queryOne("SELECT value FROM answers")).toEqual({ value: 1 });
  await migrate(database.url, {
    release: releaseWith(text(functionFile("text", "word text"), "SELECT word"), view("answer('two')")),
  });
  expect(await queryOne("SELECT value FROM answers")).toEqual({ value: "two" });
});

test("a migration can drop a column that a view reads, because views are created after it", async () => {
  const reads = (column: string) => ({
    name: "views/titles.sql",
    text: `CREATE VIEW titles AS SELECT ${column} AS title FROM blueprints`,
  });
  await migrate(database.url, { release: releaseWith(reads("description")) });
  const migration = {
    name: "0001_title",
    hash: "of 0001_title",
    createdAt: (own.migrations.at(-1)?.createdAt ?? 0) + 1,
    statements: ["ALTER TABLE blueprints DROP COLUMN description CASCADE", "CREATE TABLE extra (id int)"],
  };
  const release = {
    ...replacing("triggers/raise-version.sql", (text) =>
      text
        .replace("OLD.name, OLD.description, OLD.defaults", "OLD.name, OLD.defaults")
        .replace("NEW.name, NEW.description, NEW.defaults", "NEW.name, NEW.defaults"),
    ),
    migrations: [...own.migrations, migration],
  };
  await migrate(database.url, {
    release: { ...release, afterTables: [...release.afterTables, reads("name")] },
  });
  expect(await queryOne("SELECT count(*)::int AS n FROM titles")).toEqual({ n: 0 });
});

test("an error in one file rolls back everything, also the migrations before it", async () => {
  const [catalog, applied] = [await readCatalog(database.pool), await readApplied(database.pool)];
  const migration = {
    name: "0001_extra",
    hash: "of 0001_extra",
    createdAt: (own.migrations.at(-1)?.createdAt ?? 0) + 1,
    statements: ["CREATE TABLE extra (id int)"],
  };
  const broken = {
    name: "functions/broken.sql",
    text: "CREATE FUNCTION broken() RETURNS int LANGUAGE sql AS 'SELEC 1'",
  };
  const release = { ...releaseWith(broken), migrations: [...own.migrations, migration] };
  expect(await migrate(database.url, { release }).then(() => "applied", String)).toBe(
    'Error: db/sql/functions/broken.sql could not be applied: syntax error at or near "SELEC"',
  );
  expect(await readCatalog(database.pool)).toEqual(catalog);
  expect(await readApplied(database.pool)).toEqual(applied);
});

test("while a set is replaced, other connections see the old one until the new one is complete", async () => {
  const triggers = v.tuple([v.object({ n: v.number() })]);
  const counts = new Set<number>();
  const stop = new AbortController();
  const watch = async () => {
    while (!stop.signal.aborted) {
      const rows: unknown = await database.pool
        .sql`SELECT count(*)::int AS n FROM pg_trigger WHERE NOT tgisinternal`;
      counts.add(v.parse(triggers, rows)[0].n);
    }
  };
  const watching = watch();
  await migrate(database.url, { release: replacing("views/exposure.sql", (text) => `${text}-- newer\n`) });
  stop.abort();
  await watching;
  expect(counts.size).toBe(1);
});

test("a transaction of a release that still runs is not ended by the migration, which waits for it", async () => {
  const release = replacing("functions/settle-part-max.sql", (text) =>
    text.replace("SELECT 500", "SELECT 250"),
  );
  const request = await database.pool.sql.reserve();
  await request`BEGIN`;
  await request`SELECT id FROM users`;
  const migrating = migrate(database.url, { release });
  // It has the tables before this one by name, such as accounts.
  await waitFor("the migration to wait for users", async () => {
    const waiting: unknown[] = await database.pool
      .sql`SELECT 1 FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
    return waiting.length === 1;
  });
  await request`SELECT id FROM accounts`;
  await request`COMMIT`;
  await request.release();
  await migrating;
  expect(await queryOne("SELECT settle_part_max() AS n")).toEqual({ n: 250 });
});
