import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, jsonb, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** Idempotency keys of requests that create no row which could hold the key. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: rowId()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** The kind of request. A key is unique for a user and a purpose. */
    purpose: text().notNull(),
    key: text().notNull(),
    /** A hash of the request: another request under the same key is refused. */
    requestHash: text().notNull(),
    /** The answer for a repeated request. */
    outcome: jsonb().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose, table.key] })],
);
