import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { PAYMENT_MAX_CENTS } from "../lists/limits.ts";
import {
  bookedChargebackStates,
  chargebackCauses,
  chargebackStates,
  depositedStates,
  flagCodes,
  paymentStates,
} from "../lists/payments.ts";
import {
  cents,
  createdAt,
  identity,
  indexWhere,
  jsonb,
  moment,
  momentOfNow,
  oneOf,
  refersTo,
  rowId,
  updatedAt,
  within,
} from "./columns.ts";
import { journal } from "./ledger.ts";
import { users } from "./users.ts";

export const payments = pgTable(
  "payments",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    provider: text().notNull(),
    /** The id by which a webhook refers to the payment. It is made from the player and the Idempotency-Key. */
    reference: text().notNull(),
    amountCents: cents().notNull(),
    currency: text().notNull(),
    state: text({ enum: paymentStates }).notNull().default("pending"),
    checkoutUrl: text(),
    /** The provider's id of the money once it is paid; a refund refers to it. */
    providerRef: text(),
    journalId: rowId()
      .unique()
      .references(() => journal.id),
    refundedCents: cents().notNull().default(0),
    /** The site's limit for a player's deposits of a week when the checkout was made; null: none. A trigger counts. */
    siteLimitCents: cents(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("payments_reference").on(table.provider, table.reference),
    index("payments_user").on(table.userId),
    // The sums of the last days.
    index("payments_created").on(table.createdAt),
    check("payments_amount", within(table.amountCents, { min: 1, max: PAYMENT_MAX_CENTS })),
    check("payments_currency", sql`${table.currency} = 'USD'`),
    check("payments_state_known", oneOf(table.state, paymentStates)),
    check(
      "payments_deposit",
      sql`(${oneOf(table.state, depositedStates)}) = (${table.journalId} IS NOT NULL)`,
    ),
    check("payments_never_more_than_paid", sql`${table.refundedCents} BETWEEN 0 AND ${table.amountCents}`),
    check(
      "payments_refunded",
      sql`(${table.state} = 'refunded') = (${table.refundedCents} = ${table.amountCents})`,
    ),
    check("payments_taken_back", sql`${table.refundedCents} = 0 OR ${oneOf(table.state, depositedStates)}`),
  ],
);

/**
 * A refund of a payment, or a dispute with the player's bank. Its state is "asked" (an admin requested it and the provider has
 * not answered yet), then "taken" or "refused". A taken one can be "returned": the refund failed, or the dispute was won.
 */
export const chargebacks = pgTable(
  "chargebacks",
  {
    id: identity(),
    paymentId: refersTo(() => payments.id),
    cause: text({ enum: chargebackCauses }).notNull(),
    state: text({ enum: chargebackStates }).notNull().default("asked"),
    amountCents: cents().notNull(),
    /** The provider's id of it; null until the provider has answered. */
    providerRef: text(),
    /** Unique per payment: the same key and terms are the same chargeback. Null if the provider started it. */
    idempotencyKey: text(),
    actorId: rowId().references(() => users.id),
    reason: text(),
    journalId: rowId()
      .unique()
      .references(() => journal.id),
    returnJournalId: rowId()
      .unique()
      .references(() => journal.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("chargebacks_provider_ref").on(table.paymentId, table.providerRef),
    unique("chargebacks_key").on(table.paymentId, table.idempotencyKey),
    indexWhere("chargebacks_asked", sql`state = 'asked'`, table.createdAt),
    // What players have asked back, and the provider has not answered.
    indexWhere("chargebacks_unsent", sql`state = 'taken' AND provider_ref IS NULL`, table.createdAt),
    check("chargebacks_cause_known", oneOf(table.cause, chargebackCauses)),
    check("chargebacks_state_known", oneOf(table.state, chargebackStates)),
    check("chargebacks_amount", sql`${table.amountCents} > 0`),
    check("chargebacks_taken", sql`${table.state} <> 'taken' OR ${table.journalId} IS NOT NULL`),
    check(
      "chargebacks_not_taken",
      sql`${oneOf(table.state, bookedChargebackStates)} OR ${table.journalId} IS NULL`,
    ),
    // A chargeback that was returned before it was taken moved no money.
    check(
      "chargebacks_returned",
      sql`(${table.state} = 'returned' AND ${table.journalId} IS NOT NULL) = (${table.returnJournalId} IS NOT NULL)`,
    ),
    check("chargebacks_reason", sql`${table.actorId} IS NULL OR coalesce(length(${table.reason}), 0) > 0`),
  ],
);

/** Refused messages of providers. A flag is closed when a later attempt is accepted; otherwise an operator closes it. */
export const paymentFlags = pgTable(
  "payment_flags",
  {
    id: identity(),
    provider: text().notNull(),
    /** The provider's id of the message. */
    messageId: text().notNull(),
    reference: text().notNull(),
    paymentId: rowId().references(() => payments.id),
    code: text({ enum: flagCodes }).notNull(),
    detail: text().notNull(),
    said: jsonb().notNull(),
    timesSeen: integer().notNull().default(1),
    createdAt: createdAt(),
    seenAt: momentOfNow(),
    closedAt: moment(),
    /** Null if it was closed because a later attempt was accepted. */
    closedBy: rowId().references(() => users.id),
    note: text(),
  },
  (table) => [
    unique("payment_flags_message").on(table.provider, table.messageId),
    indexWhere("payment_flags_open", sql`closed_at IS NULL`, table.id),
    check("payment_flags_code_known", oneOf(table.code, flagCodes)),
  ],
);

/**
 * The accepted webhook messages, each once. They stay for good, so that no message counts twice, however late it is repeated. Only
 * what the provider has signed, or has answered, is stored.
 */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    provider: text().notNull(),
    providerEventId: text().notNull(),
    payloadSha256: text().notNull(),
    receivedAt: momentOfNow(),
  },
  (table) => [
    primaryKey({ columns: [table.provider, table.providerEventId] }),
    // A payment ends in the transaction that has taken its message.
    index("webhook_events_received").on(table.receivedAt),
  ],
);
