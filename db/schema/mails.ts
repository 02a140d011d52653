import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { mailKinds } from "../lists/mails.ts";
import { createdAt, identity, indexWhere, jsonb, moment, momentOfNow, oneOf, rowId } from "./columns.ts";
import { sessions } from "./sessions.ts";
import { users } from "./users.ts";

/**
 * A mail to be sent, written in the transaction that makes it due. It has a kind and a recipient. The text and the secret of a
 * link in it are made when it is sent. So the database stores no secret, a lost job loses no mail, and a request for a mail is
 * the same work whether or not a user has the address.
 */
export const mails = pgTable(
  "mails",
  {
    id: identity(),
    kind: text({ enum: mailKinds }).notNull(),
    recipient: text().notNull(),
    /** Null if it was requested by address only: the user is then looked up when it is sent. */
    userId: rowId().references(() => users.id),
    /** Of a mail about a session. */
    sessionId: rowId().references(() => sessions.id, { onDelete: "cascade" }),
    attempts: integer().notNull().default(0),
    /** When the next attempt is due. A process sets a later time before its attempt, so that no other process tries too. */
    dueAt: momentOfNow(),
    sentAt: moment(),
    failedAt: moment(),
    /** The mail server's reply if it refused. */
    error: text(),
    /** Subject and body, if there is no mail server and the mail is readable at /dev/mail. */
    kept: jsonb(),
    createdAt: createdAt(),
  },
  (table) => [
    indexWhere("mails_due", sql`sent_at IS NULL AND failed_at IS NULL`, table.dueAt),
    index("mails_user").on(table.userId, table.id),
    indexWhere("mails_sent", sql`sent_at IS NOT NULL`, table.sentAt),
    indexWhere("mails_failed", sql`failed_at IS NOT NULL`, table.failedAt),
    indexWhere("mails_kept", sql`kept IS NOT NULL`, table.id),
    indexWhere("mails_session", sql`session_id IS NOT NULL`, table.sessionId),
    index("mails_recipient").on(table.recipient, table.kind, table.sentAt),
    check("mails_kind_known", oneOf(table.kind, mailKinds)),
  ],
);
