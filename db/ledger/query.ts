import type { SQL } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { asRefusal } from "./refusal.ts";

/** bigint, count and sum arrive from Postgres as strings; all values of the program fit a safe integer. */
export const wholeNumber = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform(Number),
  v.number(),
  v.safeInteger(),
);

type RowSchema<Row> = v.GenericSchema<unknown, Row>;

/** Runs one statement of the ledger and returns its checked rows. Throws LedgerRefusal where the ledger refuses. */
export async function queryRows<Row>(db: Queryable, row: RowSchema<Row>, statement: SQL): Promise<Row[]> {
  try {
    return v.parse(v.array(row), [...(await db.execute(statement))]);
  } catch (error) {
    throw asRefusal(error);
  }
}

/** The same for a statement that always answers exactly one row. */
export async function queryRow<Row>(db: Queryable, row: RowSchema<Row>, statement: SQL): Promise<Row> {
  const [first, ...others] = await queryRows(db, row, statement);
  if (first === undefined || others.length > 0) throw new Error("expected exactly one row");
  return first;
}
