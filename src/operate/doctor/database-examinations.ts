import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { hasStatementTimeout } from "#db/has-statement-timeout.ts";
import { readDatabaseState } from "#db/migrate.ts";
import { missingRights } from "#db/roles/missing-rights.ts";
import { ownsTables } from "#db/roles/owns-tables.ts";
import { isTooOld, olderServer, otherLetters } from "#db/upgrade/refusal.ts";
import { localeOf } from "#db/upgrade/state.ts";
import type { Deps } from "#src/base/deps.ts";
import type { Examination, Finding } from "./examination.ts";

const ANSWERS = "Postgres: answers";
const VERSION = "Postgres: version";
const LETTERS = "Postgres: letters";
const PREPARED = "Postgres: prepared";
/** How many rights a line names. */
const RIGHTS_NAMED = 8;
const CLOCK_SECONDS_MAX = 5;

/** Rights as a text names them: the first of them, and how many more there are. */
export function nameRights(rights: readonly string[]): string {
  const more = rights.length > RIGHTS_NAMED ? `, and ${rights.length - RIGHTS_NAMED} more` : "";
  return `${rights.slice(0, RIGHTS_NAMED).join(", ")}${more}`;
}

const well = (said: string): Finding => ({ well: true, said });

/** The value of one expression of SQL, as a text. */
async function valueOf(db: Queryable, expression: string | SQL): Promise<string> {
  const asked = typeof expression === "string" ? sql.raw(expression) : expression;
  const [row] = await db.execute(sql`SELECT (${asked})::text AS value`);
  return v.parse(v.object({ value: v.string() }), row).value;
}

/** What the product needs of Postgres. */
export const databaseExaminations: readonly Examination<Pick<Deps, "pool">>[] = [
  {
    what: ANSWERS,
    how: "SELECT 1, as the role of DATABASE_URL",
    otherwise: "away",
    examine: async ({ pool }) => well(`as ${await valueOf(pool.db, "current_user")}`),
  },
  {
    what: VERSION,
    how: "server_version",
    otherwise: "refused",
    after: ANSWERS,
    examine: async ({ pool }) => {
      const version = await valueOf(pool.db, "current_setting('server_version')");
      return isTooOld(version)
        ? { well: false, said: olderServer(version).message, cure: "" }
        : well(version);
    },
  },
  {
    what: LETTERS,
    how: "lower('I') and upper('i')",
    otherwise: "refused",
    after: VERSION,
    examine: async ({ pool }) => {
      const locale = await valueOf(pool.db, localeOf);
      if ((await valueOf(pool.db, "lower('I') || upper('i')")) === "iI") return well(locale);
      const database = await valueOf(pool.db, "current_database()");
      return { well: false, said: otherLetters(database, locale).message, cure: "" };
    },
  },
  {
    what: PREPARED,
    how: "encoding, isolation, migrations and functions",
    otherwise: "away",
    after: LETTERS,
    examine: async ({ pool }) => {
      const { refused, pendingMigrations, sql: functions } = await readDatabaseState(pool.db);
      if (refused !== null) return { well: false, said: refused.message, cure: "", otherwise: "refused" };
      if (pendingMigrations.length === 0 && functions !== "pending") return well("for this release");
      return {
        well: false,
        said: "The database is not prepared for this release.",
        cure: "Run `bun run migrate`.",
      };
    },
  },
  {
    what: "Postgres: rights",
    how: "each right that the role needs (deploy/postgres.md)",
    otherwise: "degraded",
    after: PREPARED,
    examine: async ({ pool }) => {
      const missing = await missingRights(pool.db);
      if (missing.length === 0) return well("all");
      const role = await valueOf(pool.db, "quote_ident(current_user)");
      return {
        well: false,
        said: `${role} lacks ${nameRights(missing)}; what needs them fails.`,
        cure: `Run \`bun run migrate\` with the owner's address in MIGRATE_DATABASE_URL. Or as the owner: GRANT ${missing[0] ?? ""} TO ${role};`,
      };
    },
  },
  {
    what: "Postgres: owner",
    how: "whether the role owns the tables",
    otherwise: "advice",
    after: PREPARED,
    standing: true,
    examine: async ({ pool }) => {
      if (!(await ownsTables(pool.db))) return well("another role");
      return {
        well: false,
        said: "The role of DATABASE_URL owns the tables, so it can change the books.",
        cure: "Give the application a role of its own, and the owner's address in MIGRATE_DATABASE_URL.",
      };
    },
  },
  {
    what: "Postgres: limits",
    how: "statement_timeout",
    otherwise: "advice",
    after: ANSWERS,
    standing: true,
    examine: async ({ pool }) => {
      if (await hasStatementTimeout(pool.db)) return well("a statement ends");
      return {
        well: false,
        said: "Nothing ends a statement that runs for ever: no limit can be sent through a PgBouncer.",
        cure:
          "As an administrator of the database: ALTER ROLE called_it SET statement_timeout = '30s', for the role of DATABASE_URL. " +
          "If it may not be altered, see deploy/postgres.md.",
      };
    },
  },
  {
    what: "Postgres: clock",
    how: "clock_timestamp() beside this machine's",
    otherwise: "advice",
    after: ANSWERS,
    examine: async ({ pool }) => {
      const theirs = Number(await valueOf(pool.db, "extract(epoch FROM clock_timestamp())"));
      const apart = Math.round(Math.abs(theirs - Date.now() / 1_000));
      if (apart <= CLOCK_SECONDS_MAX) return well(`${apart} s apart`);
      return {
        well: false,
        said: `The clocks are ${apart} s apart.`,
        cure: "Set both by NTP. The database's decides.",
      };
    },
  },
];
