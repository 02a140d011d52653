import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { breakPeriods, DEPOSIT_LIMIT_MAX_CENTS, limitDays } from "../lists/spending.ts";
import {
  cents,
  createdAt,
  identity,
  moment,
  momentOfGame,
  oneOf,
  refersTo,
  rowId,
  within,
} from "./columns.ts";
import { users } from "./users.ts";

const max = DEPOSIT_LIMIT_MAX_CENTS;

/** A player's own limits for deposits. Only set_deposit_limit writes them. */
export const depositLimits = pgTable(
  "deposit_limits",
  {
    userId: refersTo(() => users.id),
    days: integer().notNull(),
    /** Null: the player was asked, and has no limit of this period. */
    amountCents: cents(),
    /** The higher limit that the player has asked for; null for none. It counts with nextAt. */
    nextCents: cents(),
    /** From when asking for it again makes it the limit; null where none was asked for. */
    nextAt: moment(),
    updatedAt: momentOfGame(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.days] }),
    check("deposit_limits_days", sql`${table.days} IN (${sql.raw(limitDays.join(", "))})`),
    check("deposit_limits_amount", within(table.amountCents, { min: 1, max })),
    check("deposit_limits_next", within(table.nextCents, { min: 1, max })),
  ],
);

/** A player's breaks. A row never changes, and stays until it has ended; a longer break is another row. */
export const breaks = pgTable(
  "breaks",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    period: text({ enum: breakPeriods }).notNull(),
    /** Who has lengthened it for the player; null: the player. */
    actorId: rowId().references(() => users.id),
    reason: text(),
    /** It goes on from another account of the player. */
    resumed: boolean().notNull().default(false),
    /** Triggers write both. */
    beganAt: momentOfGame(),
    endsAt: momentOfGame(),
  },
  (table) => [
    index("breaks_user").on(table.userId, table.endsAt),
    index("breaks_began").on(table.beganAt),
    check("breaks_period_known", oneOf(table.period, breakPeriods)),
    check("breaks_reason", sql`${table.actorId} IS NULL OR coalesce(length(${table.reason}), 0) > 0`),
  ],
);

/** The breaks of addresses that no account has any more, by a salted hash. A row never changes, and is deleted when its break has ended. */
export const keptBreaks = pgTable(
  "kept_breaks",
  {
    mailHash: text().primaryKey(),
    salt: text().notNull(),
    period: text({ enum: breakPeriods }).notNull(),
    endsAt: moment().notNull(),
  },
  (table) => [check("kept_breaks_period_known", oneOf(table.period, breakPeriods))],
);

/** The age that a player has said to have reached, once. */
export const statedAges = pgTable("stated_ages", {
  userId: rowId()
    .primaryKey()
    .references(() => users.id),
  years: integer().notNull(),
  createdAt: createdAt(),
});
