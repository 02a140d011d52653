import { index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** Players whom an admin has taken out of a session's leaders and ranks, or (without a session) out of everybody's. */
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
 * That the table of a session (or, without one, every table) has changed: scores or exclusions. Whoever keeps a table knows
 * by the newest rows whether it is still so. Rows are added and forgotten, never changed: nobody waits for anybody here.
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
