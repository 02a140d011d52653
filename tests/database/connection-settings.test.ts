import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { inSnapshot } from "#db/backup/snapshot.ts";
import { connect, inTransaction, inTransactions, type Queryable } from "#db/client.ts";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { testServers } from "#tests/support/servers.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const { dataFolder } = await testServers();
/** What each connection has; tcp_ settings are without effect on this server's socket. */
const usual = {
  statement_timeout: "30s",
  idle_in_transaction_session_timeout: "4s",
  client_connection_check_interval: "2s",
  default_transaction_isolation: "read committed",
};

async function readSettings(db: Queryable, names: readonly string[] = Object.keys(usual)) {
  const rows = await db.execute(sql`SELECT name, current_setting(name) AS value FROM unnest(
      ${sql.param(`{${names.join(",")}}`)}::text[]) AS name`);
  return Object.fromEntries([...rows].map(({ name, value }) => [String(name), String(value)]));
}
const limitOf = async (db: Queryable) => {
  const name = "idle_in_transaction_session_timeout";
  return String((await readSettings(db, [name]))[name]);
};

for (const [role, url] of [
  ["owner", dataFolder.ownerUrl],
  ["application", dataFolder.databaseUrl],
] as const) {
  test(`every connection of the ${role} has the limits, whatever its role and database say`, async () => {
    const owner = connect(dataFolder.ownerUrl);
    const name = decodeURIComponent(new URL(url).username);
    await owner.sql.unsafe(`ALTER ROLE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const pool = connect(url);
    try {
      expect(await readSettings(pool.db)).toEqual(usual);
      expect(await inTransaction(pool.db, (tx) => readSettings(tx))).toEqual(usual);
    } finally {
      await owner.sql.unsafe(`ALTER ROLE ${name} RESET default_transaction_isolation`);
      await Promise.all([pool.close(), owner.close()]);
    }
  });
}

test("behind a PgBouncer, which refuses settings of a connection, each transaction has its limit", async () => {
  const pool = connect(`${dataFolder.databaseUrl}&pgbouncer=true`, { poolSize: 1 });
  expect(await limitOf(pool.db)).toBe("0");
  expect(await inTransaction(pool.db, limitOf)).toBe("4s");
  let runs = 0;
  expect(await inTransactions(pool.db, limitOf, async () => (runs += 1) < 3)).toBe("4s");
  expect(await limitOf(pool.db)).toBe("0");
  await pool.close();
});

test("a backup's snapshot may wait for what reads it", async () => {
  const read = inSnapshot(dataFolder.ownerUrl, ({ db }) =>
    readSettings(db, ["statement_timeout", "idle_in_transaction_session_timeout", "tcp_user_timeout"]),
  );
  expect(new Set(Object.values(await read))).toEqual(new Set(["0"]));
});

test("a transaction that the server has ended fails as a lost connection, writes nothing, and the pool goes on", async () => {
  const pool = connect(dataFolder.ownerUrl, { poolSize: 1 });
  const owner = connect(dataFolder.ownerUrl, { poolSize: 1 });
  await owner.sql`CREATE TABLE idle_marks (id int)`;
  try {
    for (const isLast of [true, false]) {
      const work = inTransaction(pool.db, async (tx) => {
        await tx.execute(sql`INSERT INTO idle_marks VALUES (1)`);
        const [row] = await tx.execute(sql`SELECT pg_backend_pid() AS pid,
          set_config('idle_in_transaction_session_timeout', '50ms', true)`);
        const gone = sql`SELECT 1 FROM pg_stat_activity WHERE pid = ${Number(row?.["pid"])}`;
        await waitFor("the server to end it", async () => (await owner.db.execute(gone)).length === 0);
        if (!isLast) await tx.execute(sql`SELECT 1`);
      });
      expect(await work.then(() => false, isDatabaseAway)).toBe(true);
      expect(await owner.db.execute(sql`SELECT 1 FROM idle_marks`)).toHaveLength(0);
      expect(await pool.db.execute(sql`SELECT 1`)).toHaveLength(1);
    }
  } finally {
    await owner.sql`DROP TABLE idle_marks`;
    await Promise.all([pool.close(), owner.close()]);
  }
});

test.each([
  ["is not there", "nowhere", ""],
  ["has no connection left for the role", "called_it", "LOGIN CONNECTION LIMIT 0"],
  ["refuses the role", "called_it", "NOLOGIN"],
])("a database that %s is away", async (_, name, role) => {
  await using owner = connect(dataFolder.ownerUrl);
  await owner.sql.unsafe(`CREATE ROLE refused ${role}`);
  const url = new URL(dataFolder.ownerUrl);
  if (role !== "") url.username = "refused";
  url.pathname = name;
  await using pool = connect(url.toString());
  const work = pool.db.execute(sql`SELECT 1`);
  expect(await work.then(() => false, isDatabaseAway)).toBe(true);
  await owner.sql`DROP ROLE refused`;
});
