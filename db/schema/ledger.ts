import { sql } from "drizzle-orm";
import {
  type AnyPgColumn,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
} from "drizzle-orm/pg-core";
import { outcomes } from "../lists/calls.ts";
import { results } from "../lists/events.ts";
import { explainedKinds, journalKinds, settlingKinds } from "../lists/journal.ts";
import {
  cents,
  identity,
  indexWhere,
  moment,
  momentOfGame,
  oneOf,
  refersTo,
  rowId,
  uniqueWhere,
} from "./columns.ts";
import { events } from "./events.ts";

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
