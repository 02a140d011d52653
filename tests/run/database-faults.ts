import { sql } from "drizzle-orm";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import type { TestDeps } from "#tests/support/deps.ts";

/** What may be wrong with a database: the address that leads to it, and what every command says about it. @param deps whose database it is. */
export async function databaseFaults({ env }: TestDeps) {
  const address = (change: (url: URL) => void) => {
    const url = new URL(env.databaseUrl);
    change(url);
    return url.toString();
  };
  const [stranger, limited] = [
    await createRole("stranger"),
    await createRole("limited", "CONNECTION LIMIT 0"),
  ];
  return {
    "the role has no rights": {
      url: address((url) => (url.username = stranger)),
      says: [/permission denied/, /MIGRATE_DATABASE_URL/],
    },
    // As in the units of deploy/systemd: the role that serves has no right to read everything.
    "the role is the application's": {
      url: address((url) => (url.username = APPLICATION_ROLE)),
      says: [/permission denied/, /MIGRATE_DATABASE_URL/],
    },
    "there is no free connection": {
      url: address((url) => (url.username = limited)),
      says: [/too many connections/, /All connections are in use/],
    },
    "the database does not exist": {
      url: address((url) => (url.pathname = "/nowhere")),
      says: [/database "nowhere" does not exist/, /Create the database/],
    },
    "the role does not exist": {
      url: address((url) => (url.username = "nobody_yet")),
      says: [/role "nobody_yet" does not exist/, /does not accept this role/],
    },
    "Postgres is away": {
      url: "postgres://called_it@127.0.0.1:1/called_it",
      says: [/Start it, or correct the host and the port/],
    },
  };
}

/** A role that may sign in, and nothing else. */
async function createRole(name: string, options = ""): Promise<string> {
  const role = `${name}_${crypto.randomUUID().slice(0, 8)}`;
  const owner = await testDatabase({ empty: true });
  await owner.pool.db.execute(sql.raw(`CREATE ROLE ${role} LOGIN ${options}`));
  afterFile(async () => {
    await owner.pool.db.execute(sql.raw(`DROP ROLE ${role}`));
  });
  return role;
}
