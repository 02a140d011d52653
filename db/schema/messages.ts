import { sql } from "drizzle-orm";
import { check, index, pgTable, text, unique } from "drizzle-orm/pg-core";
import { CODES_PER_CHARACTER, MESSAGE_LENGTH_MAX } from "../lists/limits.ts";
import { createdAt, identity, moment, refersTo, within } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

export const messages = pgTable(
  "messages",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id),
    userId: refersTo(() => users.id),
    /** Made by the client, so that a message sent twice is one message. */
    clientId: text().notNull(),
    body: text().notNull(),
    createdAt: createdAt(),
    /** When it was deleted: its text is hidden since then. */
    deletedAt: moment(),
    /** When a host let it on the big screen, which matters where the session's setting `chatApproval` is on. */
    approvedAt: moment(),
  },
  (table) => [
    index("messages_session").on(table.sessionId, table.id),
    index("messages_user").on(table.userId, table.createdAt),
    unique("messages_once").on(table.userId, table.clientId),
    check(
      "messages_body",
      within(sql`length(${table.body})`, { min: 1, max: MESSAGE_LENGTH_MAX * CODES_PER_CHARACTER }),
    ),
  ],
);

/** A player who may not write in a session's chat for a while. */
export const mutes = pgTable(
  "mutes",
  {
    id: identity(),
    sessionId: refersTo(() => sessions.id),
    userId: refersTo(() => users.id),
    until: moment().notNull(),
    reason: text().notNull(),
    createdAt: createdAt(),
  },
  (table) => [unique("mutes_once").on(table.sessionId, table.userId)],
);
