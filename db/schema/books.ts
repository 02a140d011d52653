import { sql } from "drizzle-orm";
import { check, index, integer, pgTable } from "drizzle-orm/pg-core";
import { identity, jsonb, momentOfNow, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** One run of the checks of the books, with its findings. */
export const bookChecks = pgTable(
  "book_checks",
  {
    id: identity(),
    checkedAt: momentOfNow(),
    durationMs: integer().notNull(),
    /** Every check with its count, and examples of differing rows. */
    findings: jsonb().notNull(),
    differencesCount: integer().notNull(),
    /** The user who requested it; null for the schedule. */
    actorId: rowId().references(() => users.id),
  },
  (table) => [
    index("book_checks_at").on(table.checkedAt),
    check("book_checks_duration", sql`${table.durationMs} >= 0`),
  ],
);
