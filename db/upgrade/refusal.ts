import type { Migration } from "./release.ts";

/** The reason why this program must not use a database. The message says what to do. Nothing has changed. */
export class DatabaseRefused extends Error {
  override readonly name = "DatabaseRefused";
}

/** The option of `bun run migrate` that goes back to an older set of functions deliberately. */
export const REPLACE_NEWER_SQL = "--replace-newer-sql";

export function fromBeforeBaseline(database: string, baseline: Migration): DatabaseRefused {
  return new DatabaseRefused(
    `The database "${database}" already has tables, and they do not come from the migration ${baseline.name}: a release ` +
      "from before it made them, or another program did. It cannot be brought up to date. " +
      "Use an empty database, or run the release that made this one. Nothing was changed.",
  );
}

export function changedMigration(database: string, { name }: Migration): DatabaseRefused {
  return new DatabaseRefused(
    `The migration ${name} was changed after the database "${database}" had run it. Restore the file ` +
      `db/migrations/${name}.sql as it was and write the change as a new migration, or use an empty database. ` +
      "Nothing was changed.",
  );
}

export function newerMigrations(database: string, count: number): DatabaseRefused {
  return new DatabaseRefused(
    `The database "${database}" belongs to a newer release: it has run ${count} migration${count === 1 ? "" : "s"} that ` +
      "this release does not have. Run that newer release, or restore a backup from before it. Nothing was changed.",
  );
}

export function newerSql(database: string): DatabaseRefused {
  return new DatabaseRefused(
    `The functions and triggers of the database "${database}" are those of a newer release than this one. Run that newer ` +
      `release. To go back to this one on purpose, run \`bun run migrate ${REPLACE_NEWER_SQL}\` first. ` +
      "Nothing was changed.",
  );
}

const POSTGRES_MIN = 15;

/** True for a version of Postgres on which the functions of this program do not run. */
export function isTooOld(version: string): boolean {
  return Number.parseInt(version, 10) < POSTGRES_MIN;
}

export function olderServer(version: string): DatabaseRefused {
  return new DatabaseRefused(
    `Postgres is ${version}. Called It needs Postgres ${POSTGRES_MIN} or newer: upgrade it. Nothing was changed.`,
  );
}

export function otherLetters(database: string, locale: string): DatabaseRefused {
  return new DatabaseRefused(
    `In the locale of the database "${database}" (${locale}) "I" and "i" are not the same letter, so two players could have one name. ` +
      "Create one with CREATE DATABASE ... LOCALE 'C.UTF-8' ENCODING 'UTF8' TEMPLATE template0, and name that one in the settings. " +
      "Nothing was changed.",
  );
}

export function otherEncoding(database: string, encoding: string): DatabaseRefused {
  return new DatabaseRefused(
    `The database "${database}" has the encoding ${encoding}, which cannot hold all that people write, such as "€" or an emoji. ` +
      "Create one with CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0, and name that one in the settings. " +
      "Nothing was changed.",
  );
}

export function otherIsolation(isolation: string): DatabaseRefused {
  return new DatabaseRefused(
    `Transactions begin as "${isolation}" here, and Called It needs "read committed": a statement that has waited for a lock must ` +
      "see what changed meanwhile. As an administrator of the database: ALTER ROLE called_it SET default_transaction_isolation = " +
      "'read committed', for the role of DATABASE_URL. Nothing was changed.",
  );
}

export function tablesInUse(): DatabaseRefused {
  return new DatabaseRefused(
    "Transactions have held the tables for a minute, such as that of a backup. Try again when they have ended: " +
      "SELECT pid, state, xact_start, query FROM pg_stat_activity WHERE xact_start IS NOT NULL. Nothing was changed.",
  );
}
