import { expect, test } from "bun:test";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { followMissingRights } from "#db/roles/missing-rights.ts";
import { followDatabaseState } from "#db/upgrade/migrate.ts";
import { describePostgresRights } from "#src/operate/checks/describe-rights.ts";
import { asApplication } from "#tests/support/application.ts";
import { testDeps } from "#tests/support/deps.ts";

const owner = await testDeps();
const { pool } = asApplication(owner);
const { sql } = owner.pool;

test("each right that is taken or given is noticed", async () => {
  const rights = [
    "SELECT ON calls",
    "UPDATE (title) ON events",
    "EXECUTE ON FUNCTION event_gate",
    "USAGE ON SCHEMA public",
  ];
  expect(await followMissingRights(pool.db)).toEqual([]);
  for (const right of rights) {
    await sql.unsafe(`REVOKE ${right} FROM ${APPLICATION_ROLE}, PUBLIC`);
    expect(await followMissingRights(pool.db)).toContain(right);
    await sql.unsafe(describePostgresRights(APPLICATION_ROLE));
    expect(await followMissingRights(pool.db)).toEqual([]);
  }
});

test("a migration that is missing, or a later set of functions, is noticed", async () => {
  const stateNow = async () => {
    const { pendingMigrations, sql: functions } = await followDatabaseState(pool.db);
    return [pendingMigrations.length, functions];
  };
  expect(await stateNow()).toEqual([0, "current"]);
  await sql`INSERT INTO upgrade.sql_sets (number, hash, version)
    SELECT max(number) + 1, 'of a later release', '99.0.0' FROM upgrade.sql_sets`;
  expect(await stateNow()).toEqual([0, "newer"]);
  await sql`DELETE FROM drizzle.__drizzle_migrations WHERE id = (SELECT max(id) FROM drizzle.__drizzle_migrations)`;
  expect(await stateNow()).toEqual([1, "newer"]);
});
