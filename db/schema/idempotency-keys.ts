import { pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { createdAt, jsonb, rowId } from "./columns.ts";
import { users } from "./users.ts";

/** What was done under which key, for what has no row of its own that would remember it. */
export const idempotencyKeys = pgTable(
  "idempotency_keys",
  {
    userId: rowId()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    /** What the key was for: the same key may stand for one thing of each kind. */
    purpose: text().notNull(),
    key: text().notNull(),
    /** What was asked for, hashed: under the same key nothing else may be asked. */
    requestHash: text().notNull(),
    /** What there is to say of it when it is asked for again. */
    outcome: jsonb().notNull().default({}),
    createdAt: createdAt(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.purpose, table.key] })],
);
