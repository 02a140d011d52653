import { sql } from "drizzle-orm";
import * as v from "valibot";
import { addressOf, formatAddress } from "./address.ts";
import { connect, type Database } from "./client.ts";
import { queryColumn } from "./ledger/query.ts";

/** The server does not create a database for this role. `reason` is the server's own sentence. */
export class DatabaseNotCreated extends Error {
  override readonly name = "DatabaseNotCreated";

  readonly reason: string;

  constructor(reason: string, options: ErrorOptions) {
    super(`the server created no database: ${reason}`, options);
    this.reason = reason;
  }
}

/** Says of a database that it may be dropped: nobody else has made it. */
const MADE = "Made by Called It for a while";

/**
 * Creates an empty database beside another one, on the same server. One that is left with this name is
 * dropped first, also if it is in use.
 * @param url of the other database. Its role will own the new one, and needs no rights in the other.
 * @returns the address of the new database.
 * @throws DatabaseNotCreated if the server refuses it, as many managed servers do without CREATEDB.
 */
export async function createDatabase(url: string, name: string): Promise<string> {
  await onServer(url, async (db) => {
    await dropOn(db, name);
    try {
      // The server's own template may have another encoding.
      await db.execute(sql`CREATE DATABASE ${sql.identifier(name)} TEMPLATE template0 ENCODING 'UTF8'`);
      await db.execute(sql`COMMENT ON DATABASE ${sql.identifier(name)} IS ${sql.raw(`'${MADE}'`)}`);
    } catch (error) {
      throw v.is(answered, error) ? new DatabaseNotCreated(error.cause.message, { cause: error }) : error;
    }
  });
  return formatAddress({ ...addressOf(url), database: name });
}

/** Drops a database that `createDatabase` has made, also if it is in use. One that is not there is no error. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await onServer(url, (db) => dropOn(db, name));
}

/** Drops a database that an ended process has left: `createDatabase` has made it, and nobody uses it. @returns whether it was one. */
export async function dropLeftDatabase(url: string, name: string): Promise<boolean> {
  return onServer(url, async (db) => {
    const left = await db.execute(sql`
      SELECT 1 FROM pg_database d WHERE datname = ${name} AND shobj_description(oid, 'pg_database') = ${MADE}
        AND NOT EXISTS (SELECT 1 FROM pg_stat_activity a WHERE a.datid = d.oid)`);
    // Refused if somebody uses it by now.
    if ([...left].length > 0) await db.execute(sql`DROP DATABASE ${sql.identifier(name)}`);
    return [...left].length > 0;
  });
}

export async function listDatabases(url: string, prefix: string): Promise<string[]> {
  return onServer(
    url,
    (db) => queryColumn(db, v.string())`
      SELECT datname FROM pg_database WHERE starts_with(datname, ${prefix}) ORDER BY datname`,
  );
}

/** An error that the server has answered with, not one of the connection. */
const answered = v.object({
  cause: v.object({ errno: v.pipe(v.string(), v.length(5)), message: v.string() }),
});

async function dropOn(db: Database, name: string): Promise<void> {
  await db.execute(sql`DROP DATABASE IF EXISTS ${sql.identifier(name)} WITH (FORCE)`);
}

async function onServer<Result>(url: string, work: (db: Database) => Promise<Result>): Promise<Result> {
  await using pool = connect(url, { poolSize: 1 });
  return await work(pool.db);
}
