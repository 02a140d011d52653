import { index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, refersTo, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/**
 * Players that an admin has excluded from the leaderboard of a session, or (without a session) of every leaderboard. Their scores
 * and wallets continue, so including a player again needs no recount.
 */
export const exclusions = pgTable(
  "exclusions",
  {
    id: identity(),
    userId: refersTo(() => users.id, { onDelete: "cascade" }),
    sessionId: rowId().references(() => sessions.id, { onDelete: "cascade" }),
    /** The player can read it. */
    reason: text().notNull(),
    excludedById: refersTo(() => users.id),
    createdAt: createdAt(),
  },
  (table) => [unique("exclusions_user_session").on(table.userId, table.sessionId).nullsNotDistinct()],
);

/**
 * A change of the scores or exclusions of a session's leaderboard (without a session: of every leaderboard). A process that
 * caches a leaderboard reads the newest rows to check whether its copy is current. Rows are inserted and deleted, never
 * updated, so that no writer waits for another.
 */
export const leaderboardChanges = pgTable(
  "leaderboard_changes",
  {
    id: identity(),
    // No foreign key: checking it would lock the session's row with each settlement.
    sessionId: rowId(),
    createdAt: createdAt(),
  },
  (table) => [
    index("leaderboard_changes_session").on(table.sessionId, table.id),
    index("leaderboard_changes_created").on(table.createdAt),
  ],
);
