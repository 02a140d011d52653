import { expect, test } from "bun:test";
import { refuseFilledDatabase } from "#db/backup/load-database.ts";
import { connect } from "#db/client.ts";
import { migrate, readDatabaseState } from "#db/upgrade/migrate.ts";
import { testDatabase } from "#tests/support/database.ts";
import { readCatalog } from "./catalog.ts";

/** Postgres that says that it is an older one: a function of that name is found before its own. */
const PRETEND = `CREATE SCHEMA pretended; ALTER DATABASE %I SET search_path = pretended, pg_catalog, public;
  CREATE FUNCTION pretended.current_setting(name text) RETURNS text LANGUAGE sql AS
    $$ SELECT CASE name WHEN 'server_version' THEN '14.9' ELSE pg_catalog.current_setting(name) END $$`;

const refused = [
  {
    what: "whose encoding is LATIN1",
    options: "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'",
    says: ["LATIN1", "ENCODING 'UTF8'"],
  },
  {
    what: "whose encoding is SQL_ASCII",
    options: "ENCODING 'SQL_ASCII' LOCALE_PROVIDER libc LOCALE 'C'",
    says: ["SQL_ASCII", "ENCODING 'UTF8'"],
  },
  {
    what: "in a Turkish locale",
    options: "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'",
    says: ["two players", "LOCALE 'C.UTF-8'"],
  },
  {
    what: "of a Postgres before 15",
    options: "",
    prepare: PRETEND,
    says: ["Postgres is 14.9", "Postgres 15 or newer"],
  },
];
test.each(refused)(
  "a database $what is refused by a migration, a start and a restore",
  async ({ options, prepare, says }) => {
    const { pool, url } = await testDatabase();
    const name = `other_${crypto.randomUUID().slice(0, 8)}`;
    await pool.sql.unsafe(`CREATE DATABASE ${name} ${options} TEMPLATE template0`);
    const otherUrl = url.replace(/\/test_\w+/, `/${name}`);
    if (prepare !== undefined) {
      const preparing = connect(otherUrl);
      await preparing.sql.unsafe(prepare.replace("%I", name));
      await preparing.close();
    }
    const other = connect(otherUrl);
    try {
      for (const work of [() => migrate(otherUrl), () => refuseFilledDatabase(other.db)]) {
        const before = await readCatalog(other);
        const refusal = await work().then(() => null, String);
        for (const word of says) expect(refusal).toContain(word);
        expect(await readCatalog(other)).toEqual(before);
      }
      expect((await readDatabaseState(other.db)).refused?.message).toContain(says[0] ?? "");
    } finally {
      await other.close();
      await pool.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  },
);

test("behind a PgBouncer a role whose transactions see no later changes is refused, and elsewhere its connections do not", async () => {
  const { pool, url } = await testDatabase();
  await pool.sql.unsafe(`CREATE ROLE repeatable LOGIN SUPERUSER`);
  await pool.sql.unsafe(`ALTER ROLE repeatable SET default_transaction_isolation = 'repeatable read'`);
  const direct = connect(url.replace(/\/\/\w+@/, "//repeatable@"));
  const pooled = connect(`${url.replace(/\/\/\w+@/, "//repeatable@")}&pgbouncer=true`);
  try {
    expect((await readDatabaseState(direct.db)).refused).toBeNull();
    const { refused } = await readDatabaseState(pooled.db);
    expect(refused?.message).toContain("SET default_transaction_isolation");
  } finally {
    await Promise.all([direct.close(), pooled.close()]);
    await pool.sql.unsafe("DROP ROLE repeatable");
  }
});
