import { index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** Players that an admin has excluded from the leaders and ranks of a session, or (without a session) of every table. */
export const exclusions = pgTable(
  "exclusions",
  {
    id: identity(),
    userId: rowId()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: rowId().references(() => sessions.id, { onDelete: "cascade" }),
    /** The player reads it. */
    reason: text().notNull(),
    excludedById: rowId()
      .notNull()
      .references(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [unique("exclusions_user_session").on(table.userId, table.sessionId).nullsNotDistinct()],
);

/**
 * The table of a session (or, without one, every table) has changed: its scores or exclusions. A process that caches a table
 * reads the newest rows to see whether its copy is current. Rows are added and deleted, never updated, so that no writer
 * waits for another.
 */
export const leaderboardChanges = pgTable(
  "leaderboard_changes",
  {
    id: identity(),
    // No reference: it would be checked, and the session's row locked, with each settlement.
    sessionId: rowId(),
    createdAt: createdAt(),
  },
  (table) => [index("leaderboard_changes_session").on(table.sessionId, table.id)],
);
