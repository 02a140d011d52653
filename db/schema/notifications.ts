import { check, index, pgTable, text } from "drizzle-orm/pg-core";
import { notificationKinds } from "../lists/notifications.ts";
import { createdAt, identity, moment, oneOf, refersTo } from "./columns.ts";
import { users } from "./users.ts";

export const notifications = pgTable(
  "notifications",
  {
    id: identity(),
    userId: refersTo(() => users.id),
    kind: text({ enum: notificationKinds }).notNull(),
    title: text().notNull(),
    body: text().notNull().default(""),
    url: text(),
    readAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    index("notifications_user").on(table.userId, table.id),
    index("notifications_created").on(table.createdAt),
    check("notifications_kind_known", oneOf(table.kind, notificationKinds)),
  ],
);
