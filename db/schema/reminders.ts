import { index, pgTable, unique } from "drizzle-orm/pg-core";
import { createdAt, identity, moment, refersTo } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/** A user asks to be reminded of a planned session. It goes with the session, and with the account. */
export const reminders = pgTable(
  "reminders",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id, { onDelete: "cascade" }),
    userId: refersTo(() => users.id),
    /** When it went out. Null before. */
    sentAt: moment(),
    createdAt: createdAt(),
  },
  (table) => [
    unique("reminders_once").on(table.sessionId, table.userId),
    // The order of the export of a user's data.
    index("reminders_user").on(table.userId, table.id),
  ],
);
