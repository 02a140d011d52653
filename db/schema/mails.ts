import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { mailKinds } from "../lists/mails.ts";
import { createdAt, identity, jsonb, moment, oneOf, rowId } from "./columns.ts";
import { users } from "./users.ts";

/**
 * A mail to be sent, written in the transaction that makes it due. It has a kind and a recipient. Its text, and the secret of
 * a link in it, are made when it is sent, so that no secret is stored here.
 */
export const mails = pgTable(
  "mails",
  {
    id: identity(),
    kind: text({ enum: mailKinds }).notNull(),
    recipient: text().notNull(),
    /** Null where a visitor requested it by address: the user is looked up when it is sent. */
    userId: rowId().references(() => users.id),
    attempts: integer().notNull().default(0),
    /** When the next attempt is due. A process moves this on before its attempt, so that no other process tries too. */
    dueAt: moment()
      .notNull()
      .default(sql`clock_timestamp()`),
    sentAt: moment(),
    failedAt: moment(),
    /** The mail server's reply when it refused. */
    error: text(),
    /** Subject and body, where there is no mail server and the mail is shown at /dev/mail. */
    kept: jsonb(),
    createdAt: createdAt(),
  },
  (table) => [
    index("mails_due")
      .on(table.dueAt)
      .where(sql`sent_at IS NULL AND failed_at IS NULL`),
    index("mails_recipient").on(table.recipient, table.kind, table.sentAt),
    check("mails_kind_known", oneOf(table.kind, mailKinds)),
  ],
);
