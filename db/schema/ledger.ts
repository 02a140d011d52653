import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  customType,
  index,
  integer,
  pgSequence,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { accountKinds, playerAccountKinds } from "../lists/accounts.ts";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { explainedKinds, journalKinds, settlingKinds } from "../lists/journal.ts";
import {
  cents,
  createdAt,
  identity,
  indexWhere,
  moment,
  momentOfGame,
  momentOfNow,
  oneOf,
  refersTo,
  rowId,
  uniqueWhere,
} from "./columns.ts";
import { events } from "./events.ts";
import { users } from "./users.ts";

const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });

/** One business operation with one idempotency key. Its entries sum to zero. Append-only. */
export const journal = pgTable(
  "journal",
  {
    id: identity(),
    kind: text({ enum: journalKinds }).notNull(),
    idempotencyKey: text().notNull().unique(),
    requestHash: text().notNull(),
    eventId: rowId().references(() => events.id),
    round: integer(),
    supersedesId: rowId()
      .unique()
      .references((): AnyPgColumn => journal.id),
    /** For a part of a settlement: the journal of the decision that the part pays. */
    partOfId: rowId().references((): AnyPgColumn => journal.id),
    actorId: rowId(),
    reason: text(),
    /** The transaction that inserted it. Only that transaction can add entries. */
    tx: transactionId()
      .notNull()
      .default(sql`pg_current_xact_id()`),
    createdAt: momentOfGame(),
  },
  (table) => [
    index("journal_event").on(table.eventId),
    check("journal_kind_known", oneOf(table.kind, journalKinds)),
    check("journal_event_round", sql`(${table.eventId} IS NULL) = (${table.round} IS NULL)`),
    check(
      "journal_resettle",
      sql`${table.partOfId} IS NOT NULL OR (${table.kind} = 'resettle') = (${table.supersedesId} IS NOT NULL)`,
    ),
    check(
      "journal_part",
      sql`${table.partOfId} IS NULL OR (${oneOf(table.kind, settlingKinds)} AND ${table.supersedesId} IS NULL)`,
    ),
    check(
      "journal_reason",
      sql`NOT (${oneOf(table.kind, explainedKinds)}) OR coalesce(length(${table.reason}), 0) > 0`,
    ),
  ],
);

/** One signed amount on one account. Append-only. The versions of an account have no gap and no duplicate. */
export const entries = pgTable(
  "entries",
  {
    id: identity(),
    // Entries and settlement lines have no foreign keys: checking them row by row took longer than the rest of paying. A
    // trigger checks the same for all rows of a statement at once (db/sql/triggers/apply-entries.sql).
    journalId: rowId().notNull(),
    accountId: rowId().notNull(),
    callId: rowId(),
    amountCents: cents().notNull(),
    balanceAfterCents: cents().notNull(),
    /** The account's held amount at that time, so that a receipt can show the available amount. */
    heldAfterCents: cents().notNull(),
    accountVersion: cents().notNull(),
    /**
     * False if it is the first payment of a call: the wallet's history lists the payout of the call instead, also one of
     * zero, for which there is no entry.
     */
    listed: boolean().notNull().default(true),
    createdAt: momentOfGame(),
  },
  (table) => [
    unique("entries_no_fork").on(table.accountId, table.accountVersion),
    // The order of the wallet's history.
    indexWhere("entries_listed", sql`listed`, table.accountId, table.createdAt, table.accountVersion),
    index("entries_journal").on(table.journalId),
    indexWhere("entries_call", sql`call_id IS NOT NULL`, table.callId),
    check("entries_not_zero", sql`${table.amountCents} <> 0`),
  ],
);

export const settlements = pgTable(
  "settlements",
  {
    id: identity(),
    eventId: refersTo(() => events.id),
    round: integer().notNull(),
    version: integer().notNull(),
    result: text({ enum: results }).notNull(),
    effectiveAt: moment(),
    journalId: rowId()
      .notNull()
      .unique()
      .references(() => journal.id),
    poolCents: cents().notNull(),
    winningPoolCents: cents().notNull(),
    refundedCents: cents().notNull(),
    /**
     * The last call that gets one of the cents left after rounding down, and its remainder: with the pools they decide the payout of any
     * one call. 0 and 0 if none is left: then no call has a remainder. Null: an older release has decided it.
     */
    lastRemainder: cents(),
    lastCallId: rowId(),
    superseded: boolean().notNull().default(false),
    /** How many lines it has. paidCallsCount: how many of their calls are paid. A superseded settlement stops paying. */
    callsCount: integer().notNull().default(0),
    paidCallsCount: integer().notNull().default(0),
    /** The payment goes from the highest user id down: this player and all with higher ids are paid. Null if none is. */
    paidFromUserId: rowId(),
    /** When the last player was paid; null before. */
    paidAt: moment(),
    createdAt: momentOfGame(),
  },
  (table) => [
    unique("settlements_version").on(table.eventId, table.round, table.version),
    uniqueWhere("settlements_one_live", sql`NOT superseded`, table.eventId, table.round),
    indexWhere("settlements_unpaid", sql`paid_at IS NULL AND NOT superseded`, table.id),
    check("settlements_result_known", oneOf(table.result, results)),
    check("settlements_paid", sql`${table.paidAt} IS NULL OR ${table.paidCallsCount} = ${table.callsCount}`),
    check("settlements_paid_calls", sql`${table.paidCallsCount} BETWEEN 0 AND ${table.callsCount}`),
  ],
);

/** The payout of every call by a settlement. Append-only. */
export const settlementLines = pgTable(
  "settlement_lines",
  {
    settlementId: rowId().notNull(),
    callId: rowId().notNull(),
    payoutCents: cents().notNull(),
    outcome: text({ enum: outcomes }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.settlementId, table.callId] }),
    check("settlement_lines_payout", sql`${table.payoutCents} >= 0`),
    check("settlement_lines_outcome", oneOf(table.outcome, outcomes)),
  ],
);

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

const ids = customType<{ data: string }>({ dataType: () => "int8multirange" });

/**
 * A seal over the journals and audit rows that were written since the seal before it, and over that seal. Append-only. So the
 * newest hash covers all of them: an old row cannot be changed, removed or inserted without another hash.
 *
 * Rows become visible out of the order of their ids. So a seal lists the ids that it covers, and keeps those below its highest
 * that were not there yet: a later seal covers them, until no transaction can still write them.
 */
export const journalSeals = pgTable(
  "journal_seals",
  {
    id: identity(),
    /** The seal before it; null for the first one. Unique, null included: so the seals are one chain. */
    previousId: rowId().references((): AnyPgColumn => journalSeals.id),
    /** SHA-256 of the hash before it and of its rows: db/sql/functions/hash-sealed.sql. Hexadecimal. */
    hash: text().notNull().unique(),
    journals: ids().notNull(),
    audits: ids().notNull(),
    /** The highest id of a journal that this seal or one before it covers. */
    throughJournal: cents().notNull(),
    throughAudit: cents().notNull(),
    /** Every transaction below it had begun when the rows were read: pg_snapshot_xmax. */
    horizon: transactionId().notNull(),
    sealedAt: momentOfNow(),
  },
  (table) => [
    check("journal_seals_hash", sql`${table.hash} ~ '^[0-9a-f]{64}$'`),
    unique("journal_seals_chain").on(table.previousId).nullsNotDistinct(),
  ],
);

/**
 * Numbers the holders of locks, in the order in which they have taken them (db/sql/functions/draw-lock-tokens.sql). It begins at the
 * time of its migration in microseconds, above all tokens that the former release has taken from the clock of Redis.
 */
export const lockTokens = pgSequence("lock_tokens");
