import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow, queryRows, wholeNumber } from "../ledger/query.ts";
import {
  type DatabaseRefused,
  changedMigration,
  fromBeforeBaseline,
  isTooOld,
  newerMigrations,
  newerSql,
  olderServer,
  otherEncoding,
  otherIsolation,
  otherLetters,
} from "./refusal.ts";
import { hashSql, type Migration, type Release } from "./release.ts";

export type DatabaseState = {
  pendingMigrations: Migration[];
  /** "pending": its functions, triggers and views are older than the release's. "newer": they are from a later release. */
  sql: "current" | "pending" | "newer";
  /** True if a later release has upgraded it, which says that this release can work with it. It must not be migrated. */
  isAhead: boolean;
  isEmpty: boolean;
  /** Why the release must not use it; null if it may, also while something is pending. */
  refused: DatabaseRefused | null;
};

const [databaseRow, appliedRow, setRow] = [
  v.object({
    database: v.string(),
    version: v.string(),
    locale: v.string(),
    hasOneI: v.boolean(),
    encoding: v.string(),
    isolation: v.string(),
    hasMigrations: v.boolean(),
    hasSets: v.boolean(),
    hasTables: v.boolean(),
  }),
  v.object({ hash: v.string(), createdAt: wholeNumber }),
  v.object({ hash: v.string(), version: v.string(), compatibleSince: v.nullable(v.string()) }),
];

/**
 * Compares a database with a release. Changes nothing.
 * @param replaceNewerSql true if functions and triggers of a newer release are to be replaced instead of refused.
 */
export async function readState(
  db: Queryable,
  release: Release,
  { replaceNewerSql = false } = {},
): Promise<DatabaseState> {
  const facts = await queryRow(db, databaseRow)`${databaseQuery}`;
  const applied = facts.hasMigrations ? await queryRows(db, appliedRow)`${appliedMigrations}` : [];
  const sets = facts.hasSets ? await queryRows(db, setRow)`${appliedSets}` : [];
  const sqlState = compareSql(release, sets);
  const isAhead = !replaceNewerSql && isCompatible(release, sets.at(-1));
  const newer = sqlState === "newer" && !replaceNewerSql && !isAhead;
  return {
    pendingMigrations: release.migrations.filter(
      ({ createdAt }) => !applied.some((row) => row.createdAt === createdAt),
    ),
    sql: sqlState,
    isAhead,
    isEmpty: !facts.hasTables && applied.length === 0,
    refused:
      refuseSettings(facts) ??
      refuseMigrations({ ...facts, isAhead }, applied, release) ??
      (newer ? newerSql(facts.database) : null),
  };
}

/**
 * The newest set is from a newer release if its version is higher, or if the database had this release's set before it.
 * @param sets the sets applied so far, in their order.
 */
export function compareSql(
  release: Release,
  sets: readonly Pick<v.InferOutput<typeof setRow>, "hash" | "version">[],
): DatabaseState["sql"] {
  const hash = hashSql(release);
  const newest = sets.at(-1);
  if (newest === undefined) return "pending";
  if (newest.hash === hash) return "current";
  const isLater = Bun.semver.order(newest.version, release.version) > 0;
  return isLater || sets.some((set) => set.hash === hash) ? "newer" : "pending";
}

/** True if the set is of a later release that says that this one can work with it. */
function isCompatible({ version }: Release, newest: v.InferOutput<typeof setRow> | undefined): boolean {
  if (newest === undefined || newest.compatibleSince === null) return false;
  return (
    Bun.semver.order(newest.version, version) > 0 && Bun.semver.order(newest.compatibleSince, version) <= 0
  );
}

/** What texts and locks need of any database. Connections set the isolation themselves, but not behind a PgBouncer. */
function refuseSettings({
  database,
  version,
  locale,
  hasOneI,
  encoding,
  isolation,
}: v.InferOutput<typeof databaseRow>): DatabaseRefused | null {
  if (isTooOld(version)) return olderServer(version);
  if (!hasOneI) return otherLetters(database, locale);
  if (encoding !== "UTF8") return otherEncoding(database, encoding);
  return isolation === "read committed" ? null : otherIsolation(isolation);
}

function refuseMigrations(
  { database, hasTables, isAhead }: v.InferOutput<typeof databaseRow> & { isAhead: boolean },
  applied: readonly v.InferOutput<typeof appliedRow>[],
  { migrations }: Release,
): DatabaseRefused | null {
  const [baseline] = migrations;
  if (baseline === undefined) throw new Error("db/migrations is empty");
  if (applied.length === 0 && !hasTables) return null;
  if (!applied.some((row) => row.createdAt === baseline.createdAt))
    return fromBeforeBaseline(database, baseline);
  const changed = migrations.find(({ createdAt, hash }) =>
    applied.some((row) => row.createdAt === createdAt && row.hash !== hash),
  );
  if (changed !== undefined) return changedMigration(database, changed);
  if (isAhead) return null;
  const known = new Set(migrations.map(({ createdAt }) => createdAt));
  const unknown = applied.filter((row) => !known.has(row.createdAt));
  return unknown.length === 0 ? null : newerMigrations(database, unknown.length);
}

/** The locale that decides which letters are the same: that of ICU, where the database has one. Its column has another name in each version. */
export const localeOf = sql`(SELECT coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', d.datcollate)
  FROM pg_database d WHERE d.datname = current_database())`;
// Tables of extensions do not count.
const databaseQuery = sql`SELECT current_database() AS database, current_setting('server_version') AS version,
  ${localeOf} AS locale,
  lower('I') = 'i' AND upper('i') = 'I' AS "hasOneI", current_setting('server_encoding') AS encoding,
  current_setting('default_transaction_isolation') AS isolation,
  to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS "hasMigrations",
  to_regclass('upgrade.sql_sets') IS NOT NULL AS "hasSets",
  EXISTS (
    SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') AND NOT EXISTS (
      SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e'
    )
  ) AS "hasTables"`;
const appliedMigrations = sql`SELECT hash, created_at::text AS "createdAt" FROM drizzle.__drizzle_migrations ORDER BY id`;
// A set of a release that could not say what it is compatible with has no such column.
const appliedSets = sql`SELECT s.hash, s.version, to_jsonb(s) ->> 'compatible_since' AS "compatibleSince"
  FROM upgrade.sql_sets s ORDER BY s.number`;
