import { sql } from "drizzle-orm";
import { pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, indexWhere, jsonb, moment } from "./columns.ts";

/**
 * A fact, written in the transaction that makes it true, and broadcast by the relay after the commit. Example: "these calls were
 * placed". The relay makes the messages from the state at that time, so a settlement of thousands of calls is one row.
 */
export const outbox = pgTable(
  "outbox",
  {
    id: identity(),
    kind: text().notNull(),
    payload: jsonb().notNull(),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [indexWhere("outbox_unsent", sql`sent_at IS NULL`, table.id)],
);
