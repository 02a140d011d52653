import { sql } from "drizzle-orm";
import { index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, jsonb, moment } from "./columns.ts";

/** A fact to be broadcast: written in the transaction that makes it true, broadcast after the commit. */
export const outbox = pgTable(
  "outbox",
  {
    id: identity(),
    kind: text().notNull(),
    payload: jsonb().notNull(),
    createdAt: createdAt(),
    sentAt: moment(),
  },
  (table) => [
    index("outbox_unsent")
      .on(table.id)
      .where(sql`sent_at IS NULL`),
  ],
);
