import { type ReadSettings, SettingsError } from "./settings.ts";

/** The addresses of the database. */
export type DatabaseRoles = {
  /** As the application's role. */
  databaseUrl: string;
  /** The same database as its owner: to migrate, seed, back up and restore it. */
  ownerDatabaseUrl: string;
  /** The role in databaseUrl; null where it is the owner itself. */
  applicationRole: string | null;
};

/**
 * The database as the application and as its owner. A host that gives one role only gives one address.
 * @throws SettingsError for an owner's address without the application's.
 */
export function rolesOf(
  { DATABASE_URL, MIGRATE_DATABASE_URL }: ReadSettings,
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
  const [role, owner] = [databaseUrl, ownerDatabaseUrl].map((url) =>
    decodeURIComponent(new URL(url).username),
  );
  return {
    databaseUrl,
    ownerDatabaseUrl,
    applicationRole: role === owner || role === undefined ? null : role,
  };
}
