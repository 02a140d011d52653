import { sql } from "drizzle-orm";
import { check, index, pgTable, primaryKey, text, unique } from "drizzle-orm/pg-core";
import { cents, createdAt, identity, moment, rowId, updatedAt } from "./columns.ts";
import { journal } from "./ledger.ts";
import { users } from "./users.ts";

export const payments = pgTable(
  "payments",
  {
    id: identity(),
    userId: rowId()
      .notNull()
      .references(() => users.id),
    provider: text().notNull(),
    /** What a webhook names. */
    reference: text().notNull(),
    amountCents: cents().notNull(),
    currency: text().notNull(),
    state: text({ enum: ["pending", "succeeded", "failed", "refunded"] })
      .notNull()
      .default("pending"),
    checkoutUrl: text(),
    journalId: rowId()
      .unique()
      .references(() => journal.id),
    chargebackId: rowId()
      .unique()
      .references(() => journal.id),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  (table) => [
    unique("payments_reference").on(table.provider, table.reference),
    index("payments_user").on(table.userId),
    check("payments_amount", sql`${table.amountCents} > 0`),
    check("payments_currency", sql`${table.currency} = 'USD'`),
    check("payments_state_known", sql`${table.state} IN ('pending', 'succeeded', 'failed', 'refunded')`),
    check(
      "payments_deposit",
      sql`(${table.state} IN ('succeeded', 'refunded')) = (${table.journalId} IS NOT NULL)`,
    ),
    check("payments_chargeback", sql`(${table.state} = 'refunded') = (${table.chargebackId} IS NOT NULL)`),
  ],
);

/** Every webhook that was taken, once. */
export const webhookEvents = pgTable(
  "webhook_events",
  {
    provider: text().notNull(),
    providerEventId: text().notNull(),
    payloadSha256: text().notNull(),
    receivedAt: moment()
      .notNull()
      .default(sql`clock_timestamp()`),
  },
  (table) => [primaryKey({ columns: [table.provider, table.providerEventId] })],
);
