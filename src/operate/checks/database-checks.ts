import { type SQL, sql } from "drizzle-orm";
import * as v from "valibot";
import { type DatabasePool, inTransaction, type Queryable } from "#db/client.ts";
import { queryRow, queryValue } from "#db/ledger/query.ts";
import { followMissingRights, hasStatementTimeout, ownsTables } from "#db/roles/missing-rights.ts";
import { followDatabaseState, readDatabaseState } from "#db/upgrade/migrate.ts";
import { isTooOld, olderServer, otherLetters } from "#db/upgrade/refusal.ts";
import { localeOf } from "#db/upgrade/state.ts";
import { batchReads, nextTurn } from "#src/base/batcher.ts";
import type { Deps } from "#src/base/deps.ts";
import { DATABASE_AWAY_CURE, explainError } from "#src/base/describe-error.ts";
import { clockApartMs } from "#src/base/server-clock.ts";
import { atStart, type Check, type Finding, listed, well } from "./check.ts";
import type { Part } from "./contract.ts";

const ANSWERS = "Postgres: answers";
const VERSION = "Postgres: version";
const LETTERS = "Postgres: letters";
const PREPARED = "Postgres: prepared";
/** How many rights a line names. */
const RIGHTS_NAMED = 8;
const CLOCK_SECONDS_MAX = 5;

type Needs = Pick<Deps, "pool">;

/** What keeps all work from being written. */
export const ofDatabase: readonly Part[] = ["database", "migrations", "writes", "rights"];

/** The value of one expression of SQL, as a text. */
function valueOf(db: Queryable, expression: string | SQL): Promise<string> {
  const asked = typeof expression === "string" ? sql.raw(expression) : expression;
  return queryValue(db, v.string())`SELECT (${asked})::text`;
}

const settings = v.object({ isReadOnly: v.boolean(), isStandby: v.boolean() });
const settingsQuery = sql`SELECT current_setting('transaction_read_only') = 'on' AS "isReadOnly", pg_is_in_recovery() AS "isStandby"`;

/** A database that answers later is slow. Less than a check may take, and so long that a silent one is known as such at the next look. */
const SLOW_AFTER_MS = 1_800;
const SLOW_CURE =
  "Pages and calls wait for it. Look at what Postgres does: `SELECT pid, state, wait_event_type, query_start, query FROM pg_stat_activity ORDER BY query_start`, its disk and its processors. Where all connections are in use, find the transaction that is held, or run one more process.";

/** Postgres accepts connections, and an answer is late: of a server without an answer the pool says that it is silent. */
function slow({ counts }: DatabasePool): Finding {
  const { size, running, waiting } = counts();
  const late = `No answer within ${SLOW_AFTER_MS / 1_000} s.`;
  const queue = `All ${size} connections of this process are in use, and ${waiting} statements wait for one.`;
  return { state: "slow", severity: "degraded", said: running < size ? late : queue, cure: SLOW_CURE };
}

/** What was refused in this time says it all: what must be written is tried again sooner. Later a write is tried. */
const REFUSED_LATELY_MS = 3_000;
const undone = new Error("a write was tried, and is undone");
/** Some pages, because a full disk has room for a line. */
const triedWrite = sql`INSERT INTO troubles (part, process, what, cure, ended_at)
  SELECT 'writes', '', 'writes tried', string_agg(md5(page::text), ''), game_now() FROM generate_series(1, 2000) page`;

/** Why the database refuses to write; null: it does not. What was refused is asked again until it is written. */
async function findRefusal({ db, lastRefusal, writesAgain }: DatabasePool): Promise<unknown> {
  if ((lastRefusal()?.ageMs ?? 0) > REFUSED_LATELY_MS) {
    const tried = inTransaction(db, async (tx) => {
      await tx.execute(triedWrite);
      throw undone;
    });
    if (await tried.catch((error: unknown) => error === undone)) writesAgain();
  }
  return lastRefusal()?.error ?? null;
}

/** Why the database takes no writes; null if it does. One statement shows whether it answers, and whether it takes writes. */
const findWriteTrouble = batchReads<DatabasePool, null, string | null>(
  () => null,
  async (pool) => {
    const { isReadOnly, isStandby } = await queryRow(pool.db, settings)`${settingsQuery}`;
    const refusal = await findRefusal(pool);
    let trouble = refusal === null ? null : explainError(refusal);
    if (isReadOnly) trouble = "Its transactions are read-only (default_transaction_read_only).";
    if (isStandby) trouble = "It is a standby of another server.";
    return () => trouble;
  },
);

export const writesCheck: Check<Needs> = {
  part: "writes",
  at: ["admin"],
  severity: "degraded",
  seenBy: "all",
  follows: ["database"],
  cure: "Postgres answers and takes no writes: pages work, and calls, results and payments do not. Its disk is full: make room. Or it is a standby, or set to read-only: name the primary in DATABASE_URL, or promote this one, or take default_transaction_read_only back. Nothing is lost, and all goes on by itself.",
  find: async ({ pool }) => {
    const trouble = await findWriteTrouble(pool, null);
    return listed("refused", trouble === null ? [] : [trouble]);
  },
};

export const databaseChecks = atStart<Needs>([
  {
    part: "database",
    follows: [],
    at: ["ready", "admin"],
    severity: "away",
    silent: "away",
    cure: `Players read that the game catches its breath, and nothing is lost. ${DATABASE_AWAY_CURE}`,
    find: ({ pool }) =>
      Promise.race([
        findWriteTrouble(pool, null).then(() => well()),
        // An answer that has come while this process had no time is read first.
        Bun.sleep(SLOW_AFTER_MS)
          .then(nextTurn)
          .then(() => slow(pool)),
      ]),
  },
  {
    part: ANSWERS,
    severity: "away",
    how: "SELECT 1, as the role of DATABASE_URL",
    find: async ({ pool }) => well(`as ${await valueOf(pool.db, "current_user")}`),
  },
  {
    part: VERSION,
    severity: "refused",
    how: "server_version",
    after: ANSWERS,
    find: async ({ pool }) => {
      const version = await valueOf(pool.db, "current_setting('server_version')");
      return isTooOld(version) ? { state: "old", said: olderServer(version).message } : well(version);
    },
  },
  {
    part: LETTERS,
    severity: "refused",
    how: "lower('I') and upper('i')",
    after: VERSION,
    find: async ({ pool }) => {
      const locale = await valueOf(pool.db, localeOf);
      if ((await valueOf(pool.db, "lower('I') || upper('i')")) === "iI") return well(locale);
      const database = await valueOf(pool.db, "current_database()");
      return { state: "other", said: otherLetters(database, locale).message };
    },
  },
  {
    part: PREPARED,
    severity: "away",
    how: "encoding, isolation, migrations and functions",
    after: LETTERS,
    cure: "Run `bun run migrate`.",
    find: async ({ pool }) => {
      const { refused, pendingMigrations, sql: functions } = await readDatabaseState(pool.db);
      if (refused !== null) return { state: "refused", said: refused.message, cure: "", severity: "refused" };
      if (pendingMigrations.length === 0 && functions !== "pending") return well("for this release");
      return { state: "pending", said: "The database is not prepared for this release." };
    },
  },
  {
    part: "migrations",
    at: ["ready", "admin"],
    severity: "away",
    cure: "Nothing can be served before it is. Run the migration: `bun run migrate`.",
    follows: ["database"],
    find: async ({ pool }) => {
      const { pendingMigrations, sql: functions } = await followDatabaseState(pool.db);
      // A newer release may have changed the database. This process keeps serving until it is replaced.
      return pendingMigrations.length === 0 && functions !== "pending" ? well() : "pending";
    },
  },
  writesCheck,
  {
    part: "rights",
    title: "Postgres: rights",
    at: ["start", "admin"],
    how: "each right that the role needs (deploy/postgres.md)",
    after: PREPARED,
    seenBy: "one",
    cure: "The role of DATABASE_URL lacks rights that it needs, and what needs them fails. Run `bun run migrate` with the owner's address in MIGRATE_DATABASE_URL: it gives all of them. Or give them by hand, as deploy/postgres.md lists them.",
    follows: ["database", "migrations"],
    find: async ({ pool }) => {
      const missing = await followMissingRights(pool.db);
      if (missing.length === 0) return well("all");
      const more = missing.length > RIGHTS_NAMED ? `, and ${missing.length - RIGHTS_NAMED} more` : "";
      return { state: "missing", said: `It lacks ${missing.slice(0, RIGHTS_NAMED).join(", ")}${more}.` };
    },
  },
  {
    part: "Postgres: owner",
    at: ["start", "ready"],
    severity: "advice",
    how: "whether the role owns the tables",
    after: PREPARED,
    cure: "Give the application a role of its own, and the owner's address in MIGRATE_DATABASE_URL.",
    find: async ({ pool }) => {
      if (!(await ownsTables(pool.db))) return well("another role");
      return { state: "same", said: "The role of DATABASE_URL owns the tables, so it can change the books." };
    },
  },
  {
    part: "Postgres: limits",
    at: ["start", "ready"],
    severity: "advice",
    how: "statement_timeout",
    after: ANSWERS,
    cure: "As an administrator of the database: ALTER ROLE called_it SET statement_timeout = '30s', for the role of DATABASE_URL. If it may not be altered, see deploy/postgres.md.",
    find: async ({ pool }) => {
      if (await hasStatementTimeout(pool.db)) return well("a statement ends");
      const said = "Nothing ends a statement that runs for ever: no limit can be sent through a PgBouncer.";
      return { state: "none", said };
    },
  },
  {
    part: "clock",
    follows: [],
    title: "Postgres: clock",
    at: ["start", "admin"],
    how: "clock_timestamp() beside this machine's",
    after: ANSWERS,
    cure: "Set the clocks of both machines by NTP (`timedatectl`). Events close by the database's, so the game goes on; certificates, signatures of payments and the times in the log are wrong meanwhile.",
    find: async ({ pool }) => {
      const apart = Math.round((await clockApartMs(pool)) / 1_000);
      if (apart <= CLOCK_SECONDS_MAX) return well(`${apart} s apart`);
      return { state: "apart", said: `The clock of this machine is ${apart} s from the database's.` };
    },
  },
]);
