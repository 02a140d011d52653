import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, primaryKey, unique } from "drizzle-orm/pg-core";
import { cents, indexWhere, moment, rowId } from "./columns.ts";

/**
 * The result of each player on each event that has one, over all calls of the player. It can be computed from the calls;
 * src/play/leaderboard/repair-scores.ts updates it, and `scores`, in the transaction that settles, corrects or resets an event, by
 * the difference between new and old. So reading them does not get slower with the number of calls.
 */
export const results = pgTable(
  "results",
  {
    // No foreign keys: a million rows would be checked one by one. The calls have them.
    eventId: rowId().notNull(),
    userId: rowId().notNull(),
    sessionId: rowId(),
    /** When the event was first resolved; it orders the streaks. */
    resolvedAt: moment().notNull(),
    callsCount: integer().notNull(),
    /** Payouts minus wagers. */
    netCents: cents().notNull(),
    /** Refunded calls count as neither wagered nor returned. */
    wageredCents: cents().notNull(),
    returnedCents: cents().notNull(),
    /** True if every call was refunded. */
    refunded: boolean().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.eventId, table.userId] }),
    index("results_user").on(table.userId, table.resolvedAt, table.eventId),
    index("results_last").on(table.resolvedAt, table.eventId),
    index("results_session_last").on(table.sessionId, table.resolvedAt, table.eventId),
  ],
);

/** The sums of a player's results: one row per session, and one without a session for all events. No foreign keys: see results. */
export const scores = pgTable(
  "scores",
  {
    userId: rowId().notNull(),
    sessionId: rowId(),
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
    /** True if an older result changed: the streaks are counted again before the transaction ends. */
    stale: boolean().notNull().default(false),
  },
  (table) => [
    unique("scores_user_session").on(table.userId, table.sessionId).nullsNotDistinct(),
    // Must equal the ORDER BY. With "nulls last", the default here, the index could not be used for sorting.
    index("scores_order").on(
      table.sessionId,
      table.wins.desc().nullsFirst(),
      table.losses,
      table.netCents.desc().nullsFirst(),
      table.userId,
    ),
    indexWhere("scores_stale", sql`stale`, table.userId),
  ],
);
