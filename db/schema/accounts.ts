import { sql } from "drizzle-orm";
import { check, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { accountKinds, playerAccountKinds } from "../lists/accounts.ts";
import { cents, createdAt, identity, oneOf, rowId, uniqueWhere } from "./columns.ts";
import { users } from "./users.ts";

/**
 * The accounts of the ledger: two for every player, and the system's. Only triggers change the balances.
 *
 * `version` counts the entries and has no gap. Clients compare `revision`, which also increases with a hold. The triggers that
 * change the balances keep the other counters too.
 */
export const accounts = pgTable(
  "accounts",
  {
    id: identity(),
    kind: text({ enum: accountKinds }).notNull(),
    userId: rowId().references(() => users.id),
    /** The sum of the account's entries. */
    postedCents: cents().notNull().default(0),
    /** The sum of the wagers of its active calls. */
    heldCents: cents().notNull().default(0),
    /** The number of its active calls. */
    heldCalls: integer().notNull().default(0),
    /** The number of its entries. */
    version: cents().notNull().default(0),
    /** Increases with every change of posted or held: of two reads the higher revision is newer. */
    revision: cents().notNull().default(0),
    /**
     * How many moves the history of the wallet lists: the holds of its calls, the ends of those that have ended, and the
     * listed entries. So no page of the history counts them.
     */
    movesCount: integer().notNull().default(0),
    /** How many calls it has placed that the player has not cancelled. */
    recordedCalls: integer().notNull().default(0),
    /** How many the player has cancelled. */
    cancelledCalls: integer().notNull().default(0),
    /** How many of its calls are resolved. */
    resolvedCalls: integer().notNull().default(0),
    /** The highest lock token that has written. */
    fence: cents().notNull().default(0),
    createdAt: createdAt(),
  },
  (table) => [
    unique("accounts_id_user").on(table.id, table.userId),
    uniqueWhere("accounts_owner", sql`user_id IS NOT NULL`, table.userId, table.kind),
    uniqueWhere("accounts_system", sql`user_id IS NULL`, table.kind),
    check("accounts_kind_known", oneOf(table.kind, accountKinds)),
    check(
      "wallet_not_overdrawn",
      sql`${table.kind} <> 'wallet' OR ${table.postedCents} - ${table.heldCents} >= 0`,
    ),
    check("held_not_negative", sql`${table.heldCents} >= 0`),
    check(
      "wallet_holds_calls",
      sql`${table.heldCalls} BETWEEN 0 AND ${table.heldCents} AND (${table.heldCalls} = 0) = (${table.heldCents} = 0)`,
    ),
    check("only_wallets_hold", sql`${table.kind} = 'wallet' OR ${table.heldCents} = 0`),
    check("receivable_sign", sql`${table.kind} <> 'receivable' OR ${table.postedCents} <= 0`),
    check(
      "accounts_owner_known",
      sql`(${oneOf(table.kind, playerAccountKinds)}) = (${table.userId} IS NOT NULL)`,
    ),
  ],
);
