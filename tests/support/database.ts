import path from "node:path";
import { SQL } from "bun";
import { connect, type DatabasePool } from "#db/client.ts";
import { afterFile } from "./after-file.ts";
import { testServers } from "./servers.ts";

/** A database of its own, migrated and empty. */
export type TestDatabase = {
  url: string;
  pool: DatabasePool;
  /** Closes the pool and removes the database, other connections to it included. */
  drop: () => Promise<void>;
};

/** A database for one test file, which ends with the file. */
export async function testDatabase(options?: { poolSize?: number; empty?: boolean }): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  afterFile(() => database.drop());
  return database;
}

/** Makes a database for one test file (or one test): a copy of the run's migrated template, in about 50 ms. */
export async function createTestDatabase({ poolSize = 10, empty = false } = {}): Promise<TestDatabase> {
  const { dataFolder } = await testServers();
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(
    dataFolder.socketFolder,
    `CREATE DATABASE ${name} TEMPLATE ${empty ? "template1" : "called_it"}`,
  );
  const url = `postgres://app@localhost/${name}?host=${encodeURIComponent(dataFolder.socketFolder)}`;
  const pool = connect(url, { poolSize });
  return {
    url,
    pool,
    drop: async () => {
      await pool.close();
      await onServer(dataFolder.socketFolder, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Stops the game's clock at a moment, for every connection of this database at once. */
export async function stopClockAt(pool: DatabasePool, moment: Date): Promise<void> {
  await replaceClock(pool, `'${moment.toISOString()}'::timestamptz`);
}

/** Lets the game's clock run, this much ahead of the real one (behind it when negative). */
export async function runClock(pool: DatabasePool, { aheadMs = 0 } = {}): Promise<void> {
  await replaceClock(pool, `clock_timestamp() + interval '${Math.round(aheadMs)} milliseconds'`);
}

/** Above how many calls a settlement is paid in parts, and how many calls a part has. */
export type PartsPlan = { atOnceMax: number; partMax: number };
export const usualParts: PartsPlan = { atOnceMax: 5_000, partMax: 500 };

/** Has settlements paid in other parts than usual. */
export async function payInParts({ sql }: DatabasePool, { atOnceMax, partMax }: PartsPlan): Promise<void> {
  for (const [name, value] of Object.entries({ settle_at_once_max: atOnceMax, settle_part_max: partMax })) {
    await sql.unsafe(
      `CREATE OR REPLACE FUNCTION ${name}() RETURNS int LANGUAGE sql STABLE AS $$ SELECT ${value} $$`,
    );
  }
}

async function replaceClock({ sql }: DatabasePool, expression: string): Promise<void> {
  await sql.unsafe(
    `CREATE OR REPLACE FUNCTION game_now() RETURNS timestamptz LANGUAGE sql VOLATILE PARALLEL SAFE AS $$ SELECT ${expression} $$`,
  );
}

async function onServer(socketFolder: string, statement: string): Promise<void> {
  const sql = new SQL({
    adapter: "postgres",
    path: path.join(socketFolder, ".s.PGSQL.5432"),
    username: "app",
    database: "postgres",
    max: 1,
  });
  await sql.unsafe(statement);
  await sql.close();
}
