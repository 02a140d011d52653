import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { asRefusal } from "./refusal.ts";

/** Postgres sends bigint, count and sum as strings. All values of the program fit a safe integer. A union would be slow. */
export const wholeNumber = v.pipe(
  v.custom<string | number>((value) => typeof value === "string" || typeof value === "number"),
  v.transform(Number),
  v.number(),
  v.safeInteger(),
);

type RowSchema<Row> = v.GenericSchema<unknown, Row>;

/** Runs one statement of the ledger and returns its validated rows. @throws LedgerRefusal if the ledger refuses */
export async function queryRows<Row>(db: Queryable, row: RowSchema<Row>, statement: SQL): Promise<Row[]> {
  try {
    return v.parse(v.array(row), [...(await db.execute(statement))]);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The same for a statement that always returns exactly one row. */
export async function queryRow<Row>(db: Queryable, row: RowSchema<Row>, statement: SQL): Promise<Row> {
  const [first, ...others] = await queryRows(db, row, statement);
  if (first === undefined || others.length > 0) throw new Error("expected exactly one row");
  return first;
}

/** The first column of such a row. */
export async function queryValue<Value>(
  db: Queryable,
  value: v.GenericSchema<unknown, Value>,
  statement: SQL,
): Promise<Value> {
  const [first] = Object.values(await queryRow(db, v.record(v.string(), v.unknown()), statement));
  return v.parse(value, first);
}

/** The first row of a statement; null if it returns none. */
export async function queryFirst<Row>(
  db: Queryable,
  row: RowSchema<Row>,
  statement: SQL,
): Promise<Row | null> {
  return (await queryRows(db, row, statement))[0] ?? null;
}

/**
 * Writes a Postgres array literal, which is passed as one text parameter and cast in the statement: `${...}::bigint[]`.
 * Drizzle would spread a JavaScript array into one parameter per element, which is a new statement for every length.
 */
export function writeIntegerArray(values: readonly (number | null)[]): string {
  return `{${values.map((value) => (value === null ? "NULL" : integer(value))).join(",")}}`;
}

/** A condition: the column is one of these numbers. Unlike `inArray`, it is one statement for any count of numbers. */
export function anyOf(column: AnyPgColumn, numbers: readonly number[]): SQL {
  return sql`${column} = ANY (${writeIntegerArray(numbers)}::bigint[])`;
}

/** The same in a prepared query: the placeholder's value is written by writeIntegerArray. */
export function anyOfPlaceholder(column: AnyPgColumn, name: string): SQL {
  return sql`${column} = ANY (${sql.placeholder(name)}::bigint[])`;
}

/** Any text is safe: quotes and backslashes are escaped. */
export function writeTextArray(values: readonly (string | null)[]): string {
  return `{${values.map((value) => (value === null ? "NULL" : quoted(value))).join(",")}}`;
}

function quoted(value: string): string {
  return `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
}

function integer(value: number): string {
  if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a whole number`);
  return String(value);
}
