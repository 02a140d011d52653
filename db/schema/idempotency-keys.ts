import { index, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, jsonb, refersTo } from "./columns.ts";
import { users } from "./users.ts";

/**
 * Idempotency keys of requests that create no row with a key of its own. The key is written in the transaction of the work: a
 * concurrent request with the same key waits for it, and after a crash the key is free again. Old keys are deleted after a day.
 */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: refersTo(() => users.id, { onDelete: "cascade" }),
    /** The kind of request. A key is unique for a user and a purpose. */
    purpose: text().notNull(),
    key: text().notNull(),
    /** A hash of the request. A different request with the same key is refused. */
    requestHash: text().notNull(),
    /** The response to a repeated request. */
    outcome: jsonb().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [
    primaryKey({ columns: [table.userId, table.purpose, table.key] }),
    index("idempotency_keys_created").on(table.createdAt),
    // For browsers that have no user yet.
    index("idempotency_keys_key").on(table.key),
  ],
);
