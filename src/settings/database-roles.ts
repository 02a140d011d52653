import { addressOf, formatAddress, isPooled } from "#db/address.ts";
import { type ReadSettings, SettingsError } from "./settings.ts";

/** The addresses of the database. */
export type DatabaseRoles = {
  /** As the application's role. */
  databaseUrl: string;
  /** The same database as its owner: to migrate, seed, back up and restore it. */
  ownerDatabaseUrl: string;
  /** The role in databaseUrl; null where it is the owner itself. */
  applicationRole: string | null;
  /**
   * The database as the application, without a PgBouncer between: for work that needs a connection of its own or another database.
   */
  directDatabaseUrl: string;
};

/**
 * The database as the application and as its owner. A host that gives one role only gives one address.
 * @throws SettingsError for an owner's address without the application's, and for a PgBouncer without a way past it.
 */
export function rolesOf(
  { DATABASE_URL, MIGRATE_DATABASE_URL }: Pick<ReadSettings, "DATABASE_URL" | "MIGRATE_DATABASE_URL">,
  embedded: { databaseUrl: string; ownerUrl: string },
): DatabaseRoles {
  if (MIGRATE_DATABASE_URL !== undefined && DATABASE_URL === undefined) {
    throw new SettingsError(
      "MIGRATE_DATABASE_URL needs DATABASE_URL beside it: the same database, as the application's role. Set both, or neither.",
    );
  }
  const databaseUrl = DATABASE_URL ?? embedded.databaseUrl;
  const ownerDatabaseUrl =
    DATABASE_URL === undefined ? embedded.ownerUrl : (MIGRATE_DATABASE_URL ?? DATABASE_URL);
  const [application, owner] = [addressOf(databaseUrl), addressOf(ownerDatabaseUrl)];
  if (isPooled(owner)) {
    throw new SettingsError(
      "DATABASE_URL goes through PgBouncer, and migrations cannot: set MIGRATE_DATABASE_URL to the address of Postgres itself, " +
        "without pgbouncer=true.",
    );
  }
  const { hosts, parameters } = owner;
  return {
    databaseUrl,
    ownerDatabaseUrl,
    applicationRole: application.username === owner.username ? null : application.username,
    directDatabaseUrl: isPooled(application)
      ? formatAddress({ ...application, hosts, parameters })
      : databaseUrl,
  };
}
