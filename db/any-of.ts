import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { writeIntegerArray } from "./ledger/query.ts";

/** A condition: the column is one of these numbers. Unlike `inArray`, it is one statement for any count of numbers. */
export function anyOf(column: AnyPgColumn, numbers: readonly number[]): SQL {
  return sql`${column} = ANY (${writeIntegerArray(numbers)}::bigint[])`;
}

/** The same in a prepared query: the placeholder's value is written by ledger/query.ts. */
export function anyOfPlaceholder(column: AnyPgColumn, name: string): SQL {
  return sql`${column} = ANY (${sql.placeholder(name)}::bigint[])`;
}
