import { fillPlaceholders, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import type { DatabasePool } from "./client.ts";

const dialect = new PgDialect({ casing: "snake_case" });

// Decision: plain SQL that is prepared once is for what runs with each request or message. All else uses drizzle's builder, or
// `sql` with rows that valibot reads. Read rows by key as `LATERAL (... LIMIT 1)`: while Postgres has no statistics (a new database,
// a restore) it reads whole tables for a plain join.

/** Runs a prepared statement. `values` are those of its placeholders, by name. */
export type PreparedStatement<Row, Values extends Record<string, string>> = (
  pool: Pick<DatabasePool, "sql">,
  values: Values,
) => Promise<readonly Row[]>;

/**
 * Prepares a statement that runs very often. Drizzle builds its text once, not for each run, and Postgres plans it once for each
 * connection. Its rows are not checked: the caller's type describes them, and a test holds that type to the database.
 * @param statement with `sql.placeholder(name)` for each value. Arrays are written by ledger/query.ts.
 */
export function prepareStatement<Row, Values extends Record<string, string>>(
  statement: SQL,
): PreparedStatement<Row, Values> {
  let built: ReturnType<PgDialect["sqlToQuery"]> | null = null;
  return async ({ sql }, values) => {
    built ??= dialect.sqlToQuery(statement);
    return sql.unsafe<Row[]>(built.sql, fillPlaceholders(built.params, values));
  };
}
