import { sql } from "drizzle-orm";
import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, moment, rowId } from "./columns.ts";
import { users } from "./users.ts";

export const notifications = pgTable(
  "notifications",
  {
    id: identity(),
    userId: rowId()
      .notNull()
      .references(() => users.id),
    kind: text({
      enum: ["result", "refund", "correction", "session_live", "payment", "announcement"],
    }).notNull(),
    title: text().notNull(),
    body: text().notNull().default(""),
    url: text(),
    readAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index("notifications_user").on(table.userId, table.id),
    check(
      "notifications_kind_known",
      sql`${table.kind} IN ('result', 'refund', 'correction', 'session_live', 'payment', 'announcement')`,
    ),
  ],
);
