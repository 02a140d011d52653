import { sql } from "drizzle-orm";
import { check, index, integer, pgTable } from "drizzle-orm/pg-core";
import { identity, jsonb, moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** Every time that the books were checked, with what was found. */
export const bookChecks = pgTable(
  "book_checks",
  {
    id: identity(),
    checkedAt: moment()
      .notNull()
      .default(sql`clock_timestamp()`),
    durationMs: integer().notNull(),
    /** Each check with what it counted, and rows that differ. */
    findings: jsonb().notNull(),
    /** How many of the checks found something. */
    differencesCount: integer().notNull(),
    /** Who asked for it; null for the schedule. */
    actorId: rowId().references(() => users.id),
  },
  (table) => [
    index("book_checks_at").on(table.checkedAt),
    check("book_checks_duration", sql`${table.durationMs} >= 0`),
  ],
);
