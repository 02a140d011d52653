import { sql } from "drizzle-orm";
import { check, foreignKey, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { callStates, endedCallStates, outcomes, refundCauses } from "../lists/calls.ts";
import { WAGER_MAX_CENTS } from "../lists/limits.ts";
import { cents, identity, indexWhere, moment, oneOf, rowId, updatedAt, within } from "./columns.ts";
import { spots } from "./events.ts";
import { accounts } from "./ledger.ts";

/** A player's wager on one spot. While its state is placed or closed, the row itself is the hold on the wallet. */
export const calls = pgTable(
  "calls",
  {
    id: identity(),
    userId: rowId().notNull(),
    accountId: rowId().notNull(),
    eventId: rowId().notNull(),
    spotId: rowId().notNull(),
    round: integer().notNull(),
    wagerCents: cents().notNull(),
    state: text({ enum: callStates }).notNull().default("placed"),
    outcome: text({ enum: outcomes }),
    payoutCents: cents(),
    /** Set with the state soft_destroyed, unless the player cancelled the call. */
    refundedBy: text({ enum: refundCauses }),
    idempotencyKey: text().notNull(),
    placedAt: moment().notNull(),
    /**
     * When the hold ended: the call was destroyed, or the settlement was decided that paid it first. A correction keeps it. Null
     * while the call is active.
     */
    endedAt: moment(),
    updatedAt: updatedAt(),
  },
  (table) => [
    foreignKey({
      name: "calls_account",
      columns: [table.accountId, table.userId],
      foreignColumns: [accounts.id, accounts.userId],
    }),
    foreignKey({
      name: "calls_spot",
      columns: [table.spotId, table.eventId],
      foreignColumns: [spots.id, spots.eventId],
    }),
    unique("calls_key").on(table.userId, table.idempotencyKey),
    // Closing and settling select by event, the limit per player and the list of a session by event and user.
    index("calls_event_player").on(table.eventId, table.userId),
    // The order of a player's calls and of the holds in the wallet's history.
    index("calls_user_placed").on(table.userId, table.placedAt, table.id),
    // The order of a player's results and of the ends of calls in the wallet's history.
    indexWhere("calls_user_ended", sql`ended_at IS NOT NULL`, table.userId, table.endedAt, table.id),
    check("calls_wager", within(table.wagerCents, { min: 1, max: WAGER_MAX_CENTS })),
    check("calls_state_known", oneOf(table.state, callStates)),
    check("calls_ended", sql`(${table.endedAt} IS NOT NULL) = (${oneOf(table.state, endedCallStates)})`),
    check("calls_outcome_known", oneOf(table.outcome, outcomes)),
    check("calls_refunded_by_known", oneOf(table.refundedBy, refundCauses)),
    check(
      "calls_refunded_is_destroyed",
      sql`${table.refundedBy} IS NULL OR ${table.state} = 'soft_destroyed'`,
    ),
    check("calls_payout_positive", sql`${table.payoutCents} >= 0`),
    check("calls_resolved_has_outcome", sql`(${table.state} = 'resolved') = (${table.outcome} IS NOT NULL)`),
    check("calls_outcome_has_payout", sql`(${table.outcome} IS NULL) = (${table.payoutCents} IS NULL)`),
    check("calls_lost_pays_nothing", sql`${table.outcome} <> 'lost' OR ${table.payoutCents} = 0`),
    check(
      "calls_refund_pays_wager",
      sql`${table.outcome} <> 'refunded' OR ${table.payoutCents} = ${table.wagerCents}`,
    ),
    check(
      "calls_won_pays_wager",
      sql`${table.outcome} <> 'won' OR ${table.payoutCents} >= ${table.wagerCents}`,
    ),
  ],
);
