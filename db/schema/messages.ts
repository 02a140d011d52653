import { sql } from "drizzle-orm";
import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, moment, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** A line of a session's chat. */
export const messages = pgTable(
  "messages",
  {
    id: identity(),
    sessionId: rowId()
      .notNull()
      .references(() => sessions.id),
    userId: rowId()
      .notNull()
      .references(() => users.id),
    body: text().notNull(),
    createdAt: createdAt(),
    deletedAt: moment(),
  },
  (table) => [
    index("messages_session").on(table.sessionId, table.id),
    check("messages_body", sql`length(${table.body}) BETWEEN 1 AND 500`),
  ],
);
