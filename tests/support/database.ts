import path from "node:path";
import { SQL } from "bun";
import { connect, type DatabasePool } from "#db/client.ts";
import { OWNER_ROLE } from "#db/embedded/data-folder.ts";
import { afterFile } from "./after-file.ts";
import { testServers } from "./servers.ts";

/**
 * Bun gives the statements to all connections by turns, and each has to get to know the tables and functions first, which is most of what
 * Postgres does for tests: with four connections a file takes a quarter more CPU time. A test that holds transactions while others run says
 * so.
 */
export const POOL_SIZE = 2;
/** On a busy machine a database that works may take seconds to answer. */
const SILENT_AFTER_MS = 60_000;

/** A separate database, migrated and empty. */
export type TestDatabase = {
  url: string;
  /** As the owner of the tables: tests change what no program does. */
  pool: DatabasePool;
  /** Closes the pool and drops the database, also if it has other connections. */
  drop: () => Promise<void>;
};

/** Creates a database for this test file. It is dropped at the end of the file. */
export async function testDatabase(options?: { poolSize?: number; empty?: boolean }): Promise<TestDatabase> {
  const database = await createTestDatabase(options);
  afterFile(() => database.drop());
  return database;
}

/** Creates a database: a copy of the run's migrated template (with `empty`: of an empty one), in about 50 ms. The caller drops it. */
export async function createTestDatabase({
  poolSize = POOL_SIZE,
  empty = false,
} = {}): Promise<TestDatabase> {
  const { dataFolder } = await testServers();
  const name = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  await onServer(
    dataFolder.socketFolder,
    // Nothing is forced to disk, so copying the files costs half of what writing all pages to the log does.
    `CREATE DATABASE ${name} TEMPLATE ${empty ? "template1" : "called_it"} STRATEGY FILE_COPY`,
  );
  const url = `postgres://${OWNER_ROLE}@localhost/${name}?host=${encodeURIComponent(dataFolder.socketFolder)}`;
  const pool = connect(url, { poolSize, silentAfterMs: SILENT_AFTER_MS });
  return {
    url,
    pool,
    drop: async () => {
      await pool.close();
      await onServer(dataFolder.socketFolder, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** Stops the game's clock at a time, for every connection of this database. */
export async function stopClockAt(pool: DatabasePool, moment: Date): Promise<void> {
  await replaceClock(pool, `'${moment.toISOString()}'::timestamptz`);
}

/** Runs the game's clock, this much ahead of the real one (behind it if negative). */
export async function runClock(pool: DatabasePool, { aheadMs = 0 } = {}): Promise<void> {
  await replaceClock(pool, `clock_timestamp() + interval '${Math.round(aheadMs)} milliseconds'`);
}

/**
 * Sets the sizes for paying settlements in parts, or again the usual ones. Example: with small sizes a few calls make a large settlement.
 * @param plan atOnceMax: with more calls a settlement is large, and no skip or reset refunds it itself. partMax: the number of calls of a part.
 */
export async function payInParts(
  { sql }: DatabasePool,
  { atOnceMax = 5_000, partMax = 500 }: { atOnceMax?: number; partMax?: number } = {},
): Promise<void> {
  for (const [name, value] of Object.entries({ refund_at_once_max: atOnceMax, settle_part_max: partMax })) {
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
    username: OWNER_ROLE,
    database: "postgres",
    max: 1,
  });
  await sql.unsafe(statement);
  await sql.close();
}
