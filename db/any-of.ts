import { type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import { writeIntegerArray } from "./ledger/write-array.ts";

/** True for rows with one of these numbers. It is one statement however many there are, which `inArray` is not. */
export function anyOf(column: AnyPgColumn, numbers: readonly number[]): SQL {
  return sql`${column} = ANY (${writeIntegerArray(numbers)}::bigint[])`;
}
