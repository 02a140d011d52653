import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { describePostgresRights, describeRedisUser } from "#src/operate/checks/describe-rights.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import type { TestDeps } from "#tests/support/deps.ts";
import { machineFaults, NOWHERE, serverFaults, type StartFault, uniqueName } from "./start-server-faults.ts";

/** @param deps on whose servers it all happens. */
export function startFaults(deps: TestDeps, redisPort: number): readonly StartFault[] {
  const places = placesOf(deps);
  return [
    ...unreached(places),
    ...unfit(places),
    ...withoutRights(deps),
    ...redisFaults(deps, redisPort),
    ...serverFaults(),
    ...machineFaults(deps),
  ];
}

/** Where databases are. */
function placesOf(deps: TestDeps) {
  const address = (change: (url: URL) => void) => {
    const url = new URL(deps.env.databaseUrl);
    url.username = APPLICATION_ROLE;
    change(url);
    return { DATABASE_URL: url.toString() };
  };
  const named = (name: string) => address((url) => (url.pathname = `/${name}`));
  /** A database that Postgres makes with these options. */
  const databaseWith = async (options: string) => {
    const { pool } = await testDatabase({ empty: true });
    const name = uniqueName("start_");
    await pool.sql.unsafe(`CREATE DATABASE ${name} ${options} TEMPLATE template0`);
    afterFile(() => pool.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`));
    return named(name);
  };
  /** The answers of another Postgres: a function of the same name is found before Postgres' own. */
  const olderPostgres = async () => {
    const { sql } = deps.pool;
    const role = uniqueName("old_");
    await sql.unsafe(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${role} AUTHORIZATION ${role};
      CREATE FUNCTION ${role}.current_setting(text) RETURNS text LANGUAGE sql AS
        $$ SELECT CASE $1 WHEN 'server_version' THEN '14.9' ELSE pg_catalog.current_setting($1) END $$;
      ALTER ROLE ${role} SET search_path = ${role}, pg_catalog, public`);
    afterFile(() => sql.unsafe(`DROP SCHEMA ${role} CASCADE; DROP ROLE ${role}`));
    return address((url) => (url.username = role));
  };
  return { address, named, databaseWith, olderPostgres };
}

type Places = ReturnType<typeof placesOf>;

/** A Postgres that cannot be used from there. */
function unreached({ address, named }: Places): StartFault[] {
  return [
    {
      name: "Postgres is stopped",
      settings: () => ({ DATABASE_URL: `postgres://called_it@${NOWHERE}/called_it` }),
      says: /Postgres does not answer there\. Start it/,
      start: "waits",
    },
    {
      name: "Postgres does not know the role",
      settings: () => address((url) => (url.username = "nobody_yet")),
      says: /role "nobody_yet" does not exist.*Correct DATABASE_URL/s,
      start: "waits",
    },
    {
      name: "the database does not exist",
      settings: () => named("nowhere"),
      says: /"nowhere" does not exist.*Create the database/s,
      start: "waits",
    },
    {
      name: "a PgBouncer that the address does not name",
      settings: async () => {
        const postgres = await startPostgresEngine();
        afterFile(() => postgres.remove());
        const bouncer = await startPgBouncer(postgres);
        afterFile(() => bouncer.stop());
        return { DATABASE_URL: bouncer.url.replace(/[?&]pgbouncer=\w+/, "") };
      },
      says: /add pgbouncer=true to DATABASE_URL/,
      start: "waits",
    },
  ];
}

/** A database that is not one of this product, or not of this release. */
function unfit({ named, databaseWith, olderPostgres }: Places): StartFault[] {
  return [
    {
      name: "Postgres is too old",
      settings: olderPostgres,
      says: /Postgres is 14\.9\. Called It needs Postgres 15 or newer: upgrade it/,
      start: "refused",
    },
    {
      name: "a Turkish locale",
      settings: () => databaseWith("ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'"),
      says: /\(tr-TR\).*two players could have one name\. Create one with CREATE DATABASE/,
      start: "refused",
    },
    {
      name: "another encoding",
      settings: () => databaseWith("ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'"),
      says: /encoding LATIN1.*ENCODING 'UTF8'/,
      start: "refused",
    },
    {
      name: "the database is not migrated",
      settings: () => databaseWith(""),
      says: /not prepared for this release\. Run `bun run migrate`/,
      start: "waits",
    },
    {
      name: "the database belongs to another program",
      settings: async () => {
        const { url, pool } = await testDatabase({ empty: true });
        await pool.sql.unsafe("CREATE TABLE invoices (id int)");
        return named(new URL(url).pathname.slice(1));
      },
      says: /already has tables.*Use an empty database/,
      start: "refused",
    },
  ];
}

function withoutRights(deps: TestDeps): StartFault[] {
  const { sql } = deps.pool;
  return [
    {
      name: "the role lacks a right",
      settings: async () => {
        await sql.unsafe(`REVOKE SELECT ON reminders FROM ${APPLICATION_ROLE}`);
        return {};
      },
      says: /lacks SELECT ON reminders.*Run `bun run migrate`/,
      start: "goes on",
      end: () => sql.unsafe(describePostgresRights(APPLICATION_ROLE)),
    },
    {
      name: "the role owns the tables",
      settings: () => ({ DATABASE_URL: deps.env.databaseUrl }),
      says: /owns the tables.*Give the application a role of its own/,
      start: "goes on",
    },
  ];
}

function redisFaults(deps: TestDeps, redisPort: number): StartFault[] {
  const redis = (words: string) => deps.redis.call(...split(words));
  const redisAs = (user: string) => ({ REDIS_URL: `redis://${user}@127.0.0.1:${redisPort}/0` });
  return [
    {
      name: "Redis is stopped",
      settings: () => ({ REDIS_URL: `redis://${NOWHERE}/0` }),
      says: /Redis is away.*Start Redis, or correct REDIS_URL/,
      start: "goes on",
    },
    {
      name: "Redis wants another password",
      settings: async () => {
        await redis(describeRedisUser("documented", "secret"));
        return redisAs("documented:other");
      },
      says: /Redis refuses the user or the password in REDIS_URL\. Correct them/,
      start: "goes on",
    },
    {
      name: "Redis has no TLS, and its address has",
      settings: () => ({ REDIS_URL: `rediss://127.0.0.1:${redisPort}/0` }),
      says: /write redis:\/\/ instead of rediss:\/\//,
      start: "goes on",
    },
    {
      name: "Redis gives its user no channels",
      settings: async () => {
        await redis("ACL SETUSER silent on >secret ~* +@all resetchannels");
        return redisAs("silent:secret");
      },
      says: /ACL SETUSER silent &\*/,
      start: "goes on",
    },
    {
      name: "Redis drops what it has when it is full",
      settings: async () => {
        await redis("CONFIG SET maxmemory-policy allkeys-lru");
        return {};
      },
      says: /drops jobs and messages.*Set maxmemory-policy noeviction/,
      start: "goes on",
      end: () => redis("CONFIG SET maxmemory-policy noeviction"),
    },
  ];
}

function split(command: string): [string, ...string[]] {
  const [name = "", ...rest] = command.split(" ");
  return [name, ...rest];
}
