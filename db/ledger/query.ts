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

type Schema<Row> = v.GenericSchema<unknown, Row>;
/** A statement, as a template: `queryRows(db, row)\`SELECT ${id}\``. */
type Statement<Result> = (text: TemplateStringsArray, ...values: unknown[]) => Promise<Result>;

/** Runs one statement and returns its validated rows. @throws LedgerRefusal if the ledger refuses it */
export function queryRows<Row>(db: Queryable, row: Schema<Row>): Statement<Row[]> {
  return async (text, ...values) => {
    try {
      return v.parse(v.array(row), [...(await db.execute(sql(text, ...values)))]);
    } catch (error) {
      throw asRefusal(error);
    }
  };
}

/** The same for a statement that always returns exactly one row. */
export function queryRow<Row>(db: Queryable, row: Schema<Row>): Statement<Row> {
  return async (text, ...values) => {
    const [first, ...others] = await queryRows(db, row)(text, ...values);
    if (first === undefined || others.length > 0) throw new Error("expected exactly one row");
    return first;
  };
}

/** The first row of a statement; null if it returns none. */
export function queryFirst<Row>(db: Queryable, row: Schema<Row>): Statement<Row | null> {
  return async (text, ...values) => (await queryRows(db, row)(text, ...values))[0] ?? null;
}

/** The first column of each row. */
export function queryColumn<Value>(db: Queryable, value: Schema<Value>): Statement<Value[]> {
  return queryRows(db, firstOf(value));
}

/** The first column of a statement that always returns exactly one row. */
export function queryValue<Value>(db: Queryable, value: Schema<Value>): Statement<Value> {
  return queryRow(db, firstOf(value));
}

const firstOf = <Value>(value: Schema<Value>) =>
  v.pipe(
    v.record(v.string(), v.unknown()),
    v.transform((row) => Object.values(row)[0]),
    value,
  );

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
