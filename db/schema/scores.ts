import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";
import { cents, moment, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/**
 * How each player did on each event that has a result, all own calls together. It follows from the calls, and is kept by
 * src/leaderboard/update-scores.ts whenever an event is settled, corrected or reset.
 */
export const results = pgTable(
  "results",
  {
    // No references: each of a million rows would be checked alone. The calls they follow from have them.
    eventId: rowId().notNull(),
    userId: rowId().notNull(),
    sessionId: rowId(),
    /** When the event was resolved first; the order of streaks. */
    resolvedAt: moment().notNull(),
    callsCount: integer().notNull(),
    /** Payouts minus wagers. */
    netCents: cents().notNull(),
    /** Refunded calls count as neither wagered nor returned. */
    wageredCents: cents().notNull(),
    returnedCents: cents().notNull(),
    /** Every call of it was refunded. */
    refunded: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.userId] }),
    index("results_user").on(table.userId, table.resolvedAt, table.eventId),
    index("results_last").on(table.resolvedAt, table.eventId),
    index("results_session_last").on(table.sessionId, table.resolvedAt, table.eventId),
  ],
);

/** The sums of a player's results: one row a session, and one of everything, without a session. */
export const scores = pgTable(
  "scores",
  {
    userId: rowId()
      .notNull()
      .references(() => users.id),
    sessionId: rowId().references(() => sessions.id),
    played: integer().notNull(),
    wins: integer().notNull(),
    losses: integer().notNull(),
    refunded: integer().notNull(),
    callsCount: integer().notNull(),
    netCents: cents().notNull(),
    wageredCents: cents().notNull(),
    returnedCents: cents().notNull(),
    currentStreak: integer().notNull(),
    bestStreak: integer().notNull(),
    /** The newest result; the next one continues its streak. */
    lastResolvedAt: moment().notNull(),
    lastEventId: rowId().notNull(),
    /** A result in the middle changed: the streaks are counted again before the transaction ends. */
    stale: boolean().notNull().default(false),
  },
  (table) => [
    unique("scores_user_session").on(table.userId, table.sessionId).nullsNotDistinct(),
    // As ORDER BY has it: with "nulls last", which is the default here, it would be of no use for sorting.
    index("scores_order").on(
      table.sessionId,
      table.wins.desc().nullsFirst(),
      table.losses,
      table.netCents.desc().nullsFirst(),
      table.userId,
    ),
    index("scores_stale")
      .on(table.userId)
      .where(sql`stale`),
  ],
);
