import { expect, test } from "bun:test";
import { refuseFilledDatabase } from "#db/backup/load-database.ts";
import { connect } from "#db/client.ts";
import { migrate, readDatabaseState } from "#db/migrate.ts";
import { testDatabase } from "#tests/support/database.ts";
import { readCatalog } from "./catalog.ts";

for (const encoding of ["LATIN1", "SQL_ASCII"]) {
  test(`a database whose encoding is ${encoding} is refused by a migration, a start and a restore`, async () => {
    const { pool, url } = await testDatabase();
    const name = `other_${encoding.toLowerCase()}`;
    await pool.sql.unsafe(
      `CREATE DATABASE ${name} ENCODING '${encoding}' LOCALE_PROVIDER libc LOCALE 'C' TEMPLATE template0`,
    );
    const otherUrl = url.replace(/\/test_\w+/, `/${name}`);
    const other = connect(otherUrl);
    try {
      for (const work of [() => migrate(otherUrl), () => refuseFilledDatabase(other.db)]) {
        const before = await readCatalog(other);
        const refusal = await work().then(() => null, String);
        expect(refusal).toContain(encoding);
        expect(refusal).toContain("ENCODING 'UTF8'");
        expect(await readCatalog(other)).toEqual(before);
      }
      expect((await readDatabaseState(other.db)).refused?.message).toContain(encoding);
    } finally {
      await other.close();
      await pool.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
}

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
