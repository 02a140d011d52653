import { integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { moment, momentOfGame, rowId } from "./columns.ts";

/** The rows that a sweep could not do its work for. A process that fails writes the row; one that succeeds deletes it. */
export const failingRows = pgTable(
  "failing_rows",
  {
    /** Which work: src/base/try-rows.ts has the names. */
    kind: text().notNull(),
    /** Of the table that the work is about. */
    rowId: rowId().notNull(),
    attempts: integer().notNull().default(1),
    /** Why the last attempt failed. */
    reason: text().notNull(),
    since: momentOfGame(),
    /** No sweep tries it earlier. */
    nextAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.kind, table.rowId] })],
);
