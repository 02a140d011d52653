import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { DatabasePool } from "#db/client.ts";
import { queryRows, wholeNumber } from "#db/ledger/query.ts";

/** How many rows of each table are tried. role.proof.ts tries more. */
export const rows = { tried: 1 };

/** One statement, which returns the rows that it has changed, and the table and column that it is about. */
export type GeneratedAttack = { table: string; column: string; statement: string };

const column = v.object({
  table: v.string(),
  column: v.string(),
  type: v.string(),
  nullable: v.boolean(),
  /** The words that a CHECK allows. */
  words: v.array(v.string()),
  unique: v.boolean(),
  generated: v.boolean(),
});
type Column = v.InferOutput<typeof column>;

/** Every column of every table. */
export function listColumns({ db }: DatabasePool): Promise<Column[]> {
  return queryRows(db, column)`
    SELECT c.relname AS "table", a.attname AS "column", format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS nullable,
    ARRAY(SELECT DISTINCT m[1] FROM pg_constraint k, regexp_matches(pg_get_constraintdef(k.oid), '''(\\w+)''::text', 'g') m
      WHERE k.conrelid = c.oid AND k.contype = 'c' AND k.conkey = ARRAY[a.attnum] ORDER BY 1) AS words,
    EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = c.oid AND i.indisunique AND a.attnum = ANY (i.indkey)) AS "unique",
    a.attidentity <> '' AS generated
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped ORDER BY 1, a.attnum`;
}

/** How many rows each table has. */
export async function countRows(pool: DatabasePool): Promise<Map<string, number>> {
  const tables = new Set((await listColumns(pool)).map(({ table }) => table));
  const counts = await queryRows(pool.db, v.object({ table: v.string(), rows: wholeNumber }))`${sql.raw(
    [...tables]
      .map((table) => `SELECT '${table}' AS "table", count(*) AS rows FROM ${table}`)
      .join(" UNION ALL "),
  )}`;
  return new Map(counts.map(({ table, rows }) => [table, rows]));
}

/** Other values of a column than the one that a row has, as SQL. */
function otherValues({ column: name, type, nullable, words }: Column): string[] {
  const values = words.map((word) => `'${word}'`);
  if (words.length === 0) values.push(...(byType[type] ?? ((it: string) => [it]))(name));
  return nullable ? [...values, "NULL"] : values;
}

const byType: Record<string, (name: string) => string[]> = {
  bigint: (name) => [`coalesce(${name}, 0) + 1`, `coalesce(${name}, 2) - 1`],
  integer: (name) => [`coalesce(${name}, 0) + 1`, `coalesce(${name}, 2) - 1`],
  boolean: (name) => [`NOT coalesce(${name}, false)`],
  text: (name) => [`coalesce(${name}, '') || 'x'`],
  jsonb: () => [`'{"mine": true}'`],
  uuid: () => ["gen_random_uuid()"],
  "timestamp with time zone": (name) => [
    `coalesce(${name}, now()) - interval '1 hour'`,
    `coalesce(${name}, now()) + interval '1 hour'`,
    "now()",
  ],
};

/** A row of a table by its place among all, or among those for which a condition holds. */
const rowAt = (table: string, place: number, where = "true") =>
  `ctid = (SELECT ctid FROM ${table} WHERE ${where} ORDER BY ctid OFFSET ${place} LIMIT 1)`;

/** Sets each column of a row to each other value. */
export function updatesOf(columns: readonly Column[], place: number): GeneratedAttack[] {
  return columns.flatMap((each) =>
    otherValues(each).map((value) => ({
      table: each.table,
      column: each.column,
      statement: `UPDATE ${each.table} SET ${each.column} = ${value}
        WHERE ${rowAt(each.table, place, `${each.column} IS DISTINCT FROM (${value})`)} RETURNING 1`,
    })),
  );
}

/** Deletes a row of each table. */
export function deletesOf(columns: readonly Column[], place: number): GeneratedAttack[] {
  return tablesOf(columns).map((table) => ({
    table,
    column: "",
    statement: `DELETE FROM ${table} WHERE ${rowAt(table, place)} RETURNING 1`,
  }));
}

/** Adds a row like one that is there, of the same time, with another value where it must be unique. */
export function insertsOf(columns: readonly Column[], place: number): GeneratedAttack[] {
  return tablesOf(columns).map((table) => {
    const own = columns.filter((each) => each.table === table && !each.generated);
    const copied = own.map(({ column: name, type, unique }) => {
      if (!unique) return name;
      if (type === "text") return `${name} || '-copy'`;
      return type === "uuid" ? "gen_random_uuid()" : name;
    });
    const names = own.map(({ column: name }) => name).join(", ");
    return {
      table,
      column: "",
      statement: `INSERT INTO ${table} (${names}) SELECT ${copied.join(", ")} FROM ${table} WHERE ${rowAt(table, place)} RETURNING 1`,
    };
  });
}

const tablesOf = (columns: readonly Column[]) => [...new Set(columns.map(({ table }) => table))];
