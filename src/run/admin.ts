import { connect, type DatabasePool } from "#db/client.ts";
import { readDatabaseState } from "#db/upgrade/migrate.ts";
import { AdminRefused, type MadeAdmin, makeAdmin } from "#src/people/users/make-admin.ts";
import { type Env, readEnv } from "#src/settings/env.ts";
import { runCommand } from "./command-line.ts";
import { requireDatabase, withDatabase } from "./with-database.ts";

// bun run admin EMAIL [NAME]: makes the user with this address an admin, while the product runs or not. If there is no such user it creates
// one and prints the link by which a password is chosen. So it makes the first admin of an installation without the demo. It needs
// the settings of the product: the data folder or DATABASE_URL, SECRET_KEY and PUBLIC_URL.
const USAGE = "Usage: bun run admin EMAIL [NAME]. Example: bun run admin ana@example.com Ana";

await runCommand(async ({ say }) => {
  const [email, name, ...others] = process.argv.slice(2);
  if (email === undefined || email.startsWith("-") || others.length > 0) throw new AdminRefused(USAGE);
  requireDatabase();
  const env = readEnv();
  const made = await withDatabase(env, () => withPool(env, (pool) => makeAdmin({ pool, env }, email, name)));
  for (const line of describe(made, email)) say(line);
  if (env.adminPasskeysRequired) {
    say(
      "ADMIN_PASSKEYS is required: the account is an admin after a sign-in by passkey. Add one at /profile/account.",
    );
  }
});

async function withPool<Result>(env: Env, work: (pool: DatabasePool) => Promise<Result>): Promise<Result> {
  await using pool = connect(env.databaseUrl, { poolSize: 1 });
  const { pendingMigrations, refused } = await readDatabaseState(pool.db);
  if (refused !== null) throw refused;
  if (pendingMigrations.length > 0) {
    throw new AdminRefused(
      "The database is not prepared for this release yet. Run `bun run migrate`, or start the product once. Nothing was changed.",
    );
  }
  return await work(pool);
}

function describe({ username, change, passwordUrl, passkeys }: MadeAdmin, email: string): string[] {
  const lines = {
    created: [`Created the account ${username} for ${email}. It is an admin.`],
    promoted: [`${username} (${email}) is an admin now, and has to sign in again.`],
    none: [`${username} (${email}) is an admin already. Nothing was changed.`],
  }[change];
  if (passwordUrl !== null) {
    lines.push("Choose its password here; the link works once, for 6 hours:", passwordUrl);
  }
  if (passkeys.length > 0) {
    lines.push(
      `Its passkeys sign in as an admin too: ${passkeys.join(", ")}. Remove unknown ones at /profile/account.`,
    );
  }
  return lines;
}
