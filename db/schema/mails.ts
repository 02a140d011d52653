import { sql } from "drizzle-orm";
import { check, index, integer, pgTable, text } from "drizzle-orm/pg-core";
import { createdAt, identity, jsonb, moment, oneOf, rowId } from "./columns.ts";
import { users } from "./users.ts";
import { mailKinds } from "../lists/mails.ts";

/**
 * A mail that is to be sent, written in the transaction that makes it due. It says what is to be told to whom; the words,
 * and the secret of a link in them, are made when it is sent, so that no secret lies here.
 */
export const mails = pgTable(
  "mails",
  {
    id: identity(),
    kind: text({ enum: mailKinds }).notNull(),
    recipient: text().notNull(),
    /** Null where somebody asked for it by address: then it is looked for whose address it is. */
    userId: rowId().references(() => users.id),
    attempts: integer().notNull().default(0),
    /** When it is to be tried next. Whoever tries moves it on first, so that nobody else does. */
    dueAt: moment()
      .notNull()
      .default(sql`clock_timestamp()`),
    sentAt: moment(),
    failedAt: moment(),
    /** What the mail server said when it refused. */
    error: text(),
    /** Subject and body, where there is no mail server and the mail is kept to be read here. */
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
