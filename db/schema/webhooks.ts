import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text, unique } from "drizzle-orm/pg-core";
import { type WebhookKind, webhookFormats } from "../lists/webhooks.ts";
import { createdAt, identity, indexWhere, moment, momentOfGame, oneOf, refersTo, rowId } from "./columns.ts";

/** An address of another program that receives what happens to events and sessions. */
export const webhooks = pgTable(
  "webhooks",
  {
    id: identity(),
    name: text().notNull(),
    url: text().notNull(),
    format: text({ enum: webhookFormats }).notNull().default("json"),
    /** The sessions that it is told about. Empty: all that are not private. The id of a deleted one stays. */
    sessionIds: rowId()
      .array()
      .notNull()
      .default(sql`'{}'`),
    /** The kinds of messages that it is told. Empty: all. */
    kinds: text()
      .array()
      .$type<WebhookKind[]>()
      .notNull()
      .default(sql`'{}'`),
    /** The secret that signs is derived from the product's key and this: it is in no table and in no backup. */
    secretSalt: text().notNull(),
    /** The salt before the last rotation. Until then its secret signs too. */
    previousSalt: text(),
    previousUntil: moment(),
    /** Since when every attempt has failed; null after one that did not. */
    failingSince: moment(),
    /** Null: it is on. */
    disabledAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [check("webhooks_format_known", oneOf(table.format, webhookFormats))],
);

/** One message to a webhook, with its last attempt. */
export const webhookDeliveries = pgTable(
  "webhook_deliveries",
  {
    id: identity(),
    webhookId: refersTo(() => webhooks.id, { onDelete: "cascade" }),
    /** The outbox's fact that it reports. Null for a test. */
    factId: rowId(),
    /** What it reports: "Event/resolve". */
    type: text().notNull(),
    /** The JSON of the cable. A webhook for a chat gets what is written of it (src/webhooks/write-body.ts). */
    body: text().notNull(),
    attempts: integer().notNull().default(0),
    /** When it is sent next. An attempt that is being made moves it ahead. */
    dueAt: momentOfGame(),
    attemptedAt: moment(),
    /** The HTTP status of the last answer; null if there was none. */
    status: integer(),
    /** Why the last attempt failed, in words. */
    error: text(),
    /** The start of the last answer. */
    answer: text(),
    tookMs: integer(),
    createdAt: createdAt(),
    deliveredAt: moment(),
    failedAt: moment(),
  },
  (table) => [
    unique("webhook_deliveries_fact").on(table.webhookId, table.factId),
    index("webhook_deliveries_webhook").on(table.webhookId, table.id),
    indexWhere("webhook_deliveries_due", sql`delivered_at IS NULL AND failed_at IS NULL`, table.dueAt),
    index("webhook_deliveries_created").on(table.createdAt),
    check("webhook_deliveries_over", sql`${table.deliveredAt} IS NULL OR ${table.failedAt} IS NULL`),
  ],
);
